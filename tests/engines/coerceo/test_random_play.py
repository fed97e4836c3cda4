"""Whole random games beside the slow reference, and what always holds in them."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.coerceo.apply import play
from engines.coerceo.board import NAMED_FIELDS
from engines.coerceo.choices import legal_moves
from engines.coerceo.effects import removal
from engines.coerceo.state import Ending, State, cost
from engines.coerceo.tables import CLOCKWISE, TILE_MASK, field_names, tile_names
from engines.kit.game import Fact
from tests.engines.coerceo import reference
from tests.engines.coerceo.positions import random_game, start

OPTIONS = st.fixed_dictionaries(
    {
        "start": st.sampled_from(["laurentius", "ocius", "ocius"]),
        "exchange_cost": st.sampled_from(["2", "1"]),
        "cura": st.sampled_from(["off", "on"]),
        "repetition_draw": st.sampled_from(["on", "off"]),
        "dead_position_draw": st.sampled_from(["on", "off"]),
    }
)


def seen(state: State) -> reference.Position:
    return reference.Position(
        tiles=frozenset(tile_names(state.board)),
        pieces=(frozenset(field_names(0, state.white)), frozenset(field_names(1, state.black))),
        turn=state.turn,
        stock=(state.stock_white, state.stock_black),
        cost=cost(state.options),
    )


def told(done: reference.Done, move: str) -> set[tuple[str, str]]:
    exchange = move[0] == "x"
    facts = {("tile_removed" if exchange else "tile_gained", tile) for tile in done.removed}
    facts |= {("captured", name) for name in done.captured}
    return facts | ({("exchanged", move[1:])} if exchange else set())


def expected_ending(position: reference.Position, options: dict[str, str]) -> Ending:
    if not position.pieces[1]:
        return Ending.WHITE_WON
    if not position.pieces[0]:
        return Ending.BLACK_WON
    if position.stuck:
        return Ending.NO_ACTION
    if options["dead_position_draw"] == "on" and position.dead:
        return Ending.DEAD_POSITION
    if options["repetition_draw"] == "on" and position.occurrences == 3:
        return Ending.REPETITION
    return Ending.NONE


def beside_the_reference(seed: int, options: dict[str, str], plies: int) -> Ending:
    random = Random(seed)
    state = start(**options)
    slow = reference.begin(seen(state))
    for _ in range(plies):
        legal = reference.moves(slow)
        assert set(legal_moves(state)) == legal
        exchanges = sorted(move for move in legal if move[0] == "x")
        move = random.choice(exchanges if exchanges and random.random() < 0.2 else sorted(legal))
        state, facts = play(state, state.turn, move)
        done = reference.play(slow, move)
        slow = done.position
        assert seen(state) == replace(slow, seen=())
        details = [fact for fact in facts if fact.parameters]
        assert {(fact.kind, fact.parameters[0][1]) for fact in details} == told(done, move)
        gained = [fact.parameters[0][1] for fact in details if fact.kind.startswith("tile_")]
        assert tuple(gained) == done.removed
        assert state.ending == expected_ending(slow, options)
        if options["repetition_draw"] == "on":
            assert state.occurrences == slow.occurrences
        if options["cura"] == "on":
            assert state.cura == (not state.ending and reference.threat(slow)) == (Fact("cura") in facts)
        if state.ending:
            break
    return Ending(state.ending)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32), OPTIONS)
def test_the_engine_plays_like_the_reference(seed: int, options: dict[str, str]) -> None:
    beside_the_reference(seed, options, 120)


def test_whole_games_of_ocius_play_like_the_reference_to_their_end() -> None:
    options = {"start": "ocius", "exchange_cost": "2", "cura": "off", "repetition_draw": "off"}
    endings = {beside_the_reference(seed, options | {"dead_position_draw": "on"}, 2000) for seed in range(24)}
    assert {Ending.WHITE_WON, Ending.BLACK_WON} <= endings
    assert Ending.NONE not in endings


@pytest.mark.nightly
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("seed", range(200))
def test_many_games_play_like_the_reference(seed: int) -> None:
    options = {
        "start": ("laurentius", "ocius")[seed % 2],
        "exchange_cost": "21"[seed // 2 % 2],
        "cura": ("off", "on")[seed // 4 % 2],
        "repetition_draw": ("on", "off")[seed // 8 % 2],
        "dead_position_draw": ("on", "off")[seed // 16 % 2],
    }
    beside_the_reference(seed, options, 1000)


def connected(board: int) -> bool:
    tiles = {tile for tile in range(19) if board & TILE_MASK[tile]}
    reached = {min(tiles)}
    waiting = list(reached)
    for tile in waiting:
        for beside in CLOCKWISE[tile]:
            if beside in tiles and beside not in reached:
                reached.add(beside)
                waiting.append(beside)
    return reached == tiles


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32), OPTIONS)
def test_what_always_holds(seed: int, options: dict[str, str]) -> None:
    steps = random_game(seed, 400, **options)
    for before, move in steps:
        after, facts = play(before, before.turn, move)
        pieces = after.white | after.black
        kinds = [fact.kind for fact in facts]
        own, own_after = (before.white, after.white) if before.turn == 0 else (before.black, after.black)
        assert own_after.bit_count() == own.bit_count()
        lost = kinds.count("captured") + kinds.count("exchanged")
        assert after.white.bit_count() + after.black.bit_count() + lost == (
            before.white.bit_count() + before.black.bit_count()
        )
        assert not pieces & ~after.board
        assert connected(after.board)
        for tile in range(19):
            if after.board & TILE_MASK[tile]:
                assert removal(after.board, pieces, tile) == ()
        for fact in facts:
            if fact.kind == "captured" and not after.ending:
                tile = NAMED_FIELDS[fact.parameters[0][1]][1] // 3
                assert own_after & TILE_MASK[tile]
        gone = before.board.bit_count() // 3 - after.board.bit_count() // 3
        assert gone == kinds.count("tile_gained") + kinds.count("tile_removed")
        held = (after.stock_white + after.stock_black) - (before.stock_white + before.stock_black)
        assert held == (-cost(before.options) if move[0] == "x" else gone)
        assert min(after.stock_white, after.stock_black) >= 0


@settings(max_examples=200, deadline=None)
@given(st.integers(0, (1 << 19) - 1), st.integers(0, (1 << 19) - 1), st.randoms(use_true_random=False))
def test_the_order_inside_a_chain_never_matters(tiles: int, occupied: int, random: Random) -> None:
    """A board without vacant removable tiles is made from any; then one tile is vacated and the chain run anyhow."""
    board = sum(TILE_MASK[tile] for tile in range(19) if tiles >> tile & 1)
    pieces = sum(1 << 3 * tile for tile in range(19) if occupied >> tile & 1) & board
    present = [tile for tile in range(19) if pieces & TILE_MASK[tile]]
    for tile in range(19):
        for gone in removal(board, pieces, tile):
            board &= ~TILE_MASK[gone]
    for vacated in present:
        left = pieces & ~TILE_MASK[vacated]
        chain = set(removal(board, left, vacated))
        anyhow = board
        while True:
            ready = [
                tile
                for tile in range(19)
                if anyhow & TILE_MASK[tile] and not left & TILE_MASK[tile] and removal(anyhow, left, tile)
            ]
            if not ready:
                break
            anyhow &= ~TILE_MASK[random.choice(ready)]
        assert {tile for tile in range(19) if (board ^ anyhow) & TILE_MASK[tile]} == chain
