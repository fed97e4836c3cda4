"""Control that is passed where something else is under way, and partners' cards (rules §13)."""

from __future__ import annotations

import pytest
from hamle.tashkalar.v1 import tashkalar_pb2 as pb

from core.fairness.draw import SeededDraw
from engines.kit.game import PUBLIC, IllegalMove
from engines.tashkalar.game import GAME
from engines.tashkalar.state import State, with_item
from tests.engines.tashkalar.corners import check_hidden, left, match, places, play, with_cards
from tests.engines.tashkalar.table import SEED, cards, describe, drawing, offered


def team(pieces: str, deck: str, *, form: str = "high", actions: int = 2) -> State:
    return match(pieces, form=form, decks=f"{deck} imperial sylvan nethervoid", actions=actions)


def test_the_partner_finishes_a_thawing_and_the_card_goes_to_its_owners_discards() -> None:
    state = with_cards(team("d4 e4 | i5", "everfrost"), 0, "titan", frozen="crystal-grower")
    state = play(state, "T:crystal-grower;pass")
    assert (state.actor(), offered(state)) == (2, ["go;d4", "go;e4"])
    check_hidden(state)
    after = play(state, "go;e4")
    assert drawing(after.board) == "d4 He4 | i5"
    assert (describe(after, "frozen"), describe(after, "discards")) == ("", "crystal-grower")
    # The partner spends the actions on commons: it thaws and warps nothing.
    assert (after.actor(), after.turn.actions, offered(after)) == (2, 2, ["P:"])
    assert (after.players[0].legends, after.players[2].legends) == ((), cards("titan"))


def test_the_partner_finishes_a_warp_and_the_being_stays_pending_before_its_owner() -> None:
    state = with_cards(team("d4 e4 | i5", "etherweave"), 0, "void-summoner doppelganger")
    state = play(state, "W:void-summoner;pass")
    check_hidden(state)
    after = play(state, "go;e4e3")
    assert (describe(after, "pending"), after.turn.actions) == ("void-summoner", 2)
    with pytest.raises(IllegalMove, match="cannot come now"):
        play(after, "S:doppelganger@e4r0")
    # §16: the pending being counts as one of the three.
    after = play(after, "P:a5", "P:a6", "end")
    assert len(after.players[0].beings) == 2


def test_a_warp_that_gains_an_action_gives_the_partner_one_more_common() -> None:
    state = with_cards(team("e4 e5 | i5", "etherweave", actions=1), 0, "translocationist")
    after = play(state, "W:translocationist", "pass", "P:a5", "P:a6")
    assert (after.actor(), offered(after)) == (0, ["end"])


def test_the_partner_sees_the_gateway_as_it_is_within_the_move() -> None:
    state = with_cards(team("f5 d6 e6 e7 | h5", "nethervoid"), 0, "possessed-summoner")
    state = play(state, "S:possessed-summoner@e5r0;pass")
    view = GAME.view(state, 2)
    assert isinstance(view, pb.View)
    assert (view.gateway, view.standing_gateway) == ("", "e5")
    assert "0@" in GAME.text(view, 2, "en")
    check_hidden(state)


def test_pieces_that_an_effect_lends_are_no_longer_of_use_once_control_was_passed() -> None:
    state = with_cards(team("f5 d6 e6 e7 | h5", "nethervoid"), 0, "possessed-summoner flare-3")
    state = play(state, "S:possessed-summoner@e5r0;pass", "go;i4")
    assert (state.turn.bonus.colour, offered(state)) == (1, ["P:"])
    after = play(state, "P:c3", "end")
    assert after.turn.bonus.colour == -1


def test_the_partner_says_which_of_two_frozen_effects_is_kept() -> None:
    state = with_cards(team("e5 e6 d7 f7 Hb5 | i5", "everfrost"), 0, "ice-queen", frozen="crystal-grower")
    move = next(text for text in offered(state, "S:ice-queen@") if "@e5" in text)
    state = play(state, f"{move};-;pass")
    check_hidden(state)
    assert offered(state) == ["go;ice-queen", "go;crystal-grower"]
    after = play(state, "go;crystal-grower")
    assert (describe(after, "frozen"), describe(after, "discards")) == ("crystal-grower", "ice-queen")


@pytest.mark.parametrize(
    ("deck", "card", "pieces", "given", "answers", "kind"),
    [
        ("everfrost", "ice-queen", "e5 e6 d7 f7 Hb5 | i5", {"frozen": "crystal-grower"}, ("-", "ice-queen"), "frozen"),
        ("nethervoid", "hell-hound", "c5 d5 b6 e6 | i5 e4", {}, ("", "e4"), "kept"),
        ("sylvan", "kiskin-spirit", "c5 c6 e6 | i5", {"discards": "naiad"}, ("", "naiad"), "topped"),
        ("etherweave", "warpmaster", "d3 c5 d6 | i5", {"pending": "void-summoner"}, ("", "take-back"), "took_back"),
    ],
)
def test_cards_of_a_move_that_the_partner_finishes_are_told_as_their_owners(
    deck: str, card: str, pieces: str, given: dict[str, str], answers: tuple[str, str], kind: str
) -> None:
    state = with_cards(team(pieces, deck), 0, card, **given)  # type: ignore[arg-type]
    begun = next(text for text in offered(state, f"S:{card}@") if "@e5" in text)
    state = play(state, ";".join(filter(None, (begun, answers[0], "pass"))))
    _, facts = GAME.apply(state, 2, f"go;{answers[1]}", SeededDraw(SEED, 9))
    assert [dict(fact.parameters)["seat"] for fact in facts if fact.kind == kind] == ["0"]


def test_a_partner_who_makes_a_legend_of_iris_discards_the_legends_of_who_has_passed() -> None:
    state = with_cards(team("d6 f6 d7 f7 e8 | i5", "etherweave", actions=1), 0, "iris-of-eternity titan fire-dragon")
    state = play(state, "S:iris-of-eternity@e5r0;pass", "go;e5")
    assert describe(state, "legend_discards") == "fire-dragon titan"
    assert (state.players[0].legends, state.players[2].legends, offered(state)) == ((), (), ["end"])
    after = play(state, "end")
    assert (len(after.players[2].legends), len(after.players[0].legends)) == (2, 0)


def test_what_the_partner_destroys_in_the_finished_effect_scores_for_the_team() -> None:
    state = with_cards(team("d6 e6 f6 d7 | Hf4", "imperial", form="duel", actions=1), 0, "knight")
    state = play(state, "S:knight@e5r0;pass", "go;e5f4;-", "end")
    assert state.scores == ((1,), (0,))


def test_the_last_upright_card_begins_the_end_though_the_partner_had_control() -> None:
    state = team("a5 | i5", "imperial")
    mine = state.players[0]
    state = state._replace(
        players=with_item(state.players, 0, mine._replace(deck=mine.deck[:8], discards=mine.deck[8:]))
    )
    after = play(state, "pass", "P:b5", "P:b6", "end")
    assert (after.last, after.cause, len(after.players[0].deck)) == (0, "deck", 5)


def test_legends_that_the_partner_draws_begin_no_end() -> None:
    state = team("a5 | i5", "imperial", actions=0)
    other = state.players[2]
    state = state._replace(
        players=with_item(state.players, 2, other._replace(deck=other.deck[:7], discards=other.deck[7:]))
    )
    after = play(state, "end")
    assert (len(after.players[2].legends), len(after.players[2].deck), after.last) == (2, 7, -1)


def test_an_additional_turn_is_taken_without_the_legends_which_are_with_the_partner() -> None:
    state = with_cards(team("Hd6 Hf6 He7 d8 f8 | i5", "imperial", actions=1), 0, "time-elemental titan")
    after = play(state, "S:time-elemental@e5r0", "end")
    assert (after.turn.seat, after.turn.actions, after.players[0].legends) == (0, 2, ())
    assert len(after.players[2].legends) == 2
    after = play(after, "P:a5", "P:a6", "end")
    assert (after.turn.seat, len(after.players[2].legends)) == (1, 2)


@pytest.mark.parametrize("leaver", range(4))
def test_a_team_that_is_left_by_one_loses_also_in_the_middle_of_a_move(leaver: int) -> None:
    state = with_cards(team("d4 e4 | i5", "everfrost"), 0, "titan", frozen="crystal-grower")
    over = left(play(state, "T:crystal-grower;pass"), leaver)
    assert places(over) == ([2, 1, 2, 1] if leaver % 2 == 0 else [1, 2, 1, 2])
    assert (over.actor(), GAME.awaited(over), GAME.choices(over, 2)) == (-1, frozenset(), ())
    with pytest.raises(IllegalMove, match="over"):
        GAME.apply(over, 2, "go;e4", None)  # type: ignore[arg-type]
    check_hidden(over)


def test_three_legendary_counters_are_all_that_partners_have_together() -> None:
    # §7: without a free one a legend is summoned only onto such a piece, or with one that its pattern does not need.
    pattern = "Hd6 Hf6 He7 d8 f8"
    free = with_cards(team(f"{pattern} La5 Lb5 | i5", "imperial"), 0, "time-elemental titan")
    after = play(free, "S:time-elemental@e5r0")
    assert drawing(after.board) == "La5 Lb5 Le5 Hd6 Hf6 He7 d8 f8 | i5"
    full = with_cards(team(f"{pattern} La5 Lb5 Lc5 | i5", "imperial"), 0, "time-elemental titan")
    assert offered(full, "S:time-elemental@e5r0") == [
        f"S:time-elemental@e5r0;{answer}" for answer in ("a5", "b5", "c5", "pass")
    ]
    after = play(full, "S:time-elemental@e5r0;b5")
    assert drawing(after.board) == "La5 Lc5 Le5 Hd6 Hf6 He7 d8 f8 | i5"
    needed = with_cards(team("Ld6 Lf6 Le7 d8 f8 | i5", "imperial"), 0, "time-elemental")
    assert not offered(needed, "S:time-elemental@")
    onto = with_cards(team("Ld6 Lf6 Le5 He7 d8 f8 | i5", "imperial"), 0, "time-elemental")
    assert drawing(play(onto, "S:time-elemental@e5r0").board) == "Le5 Ld6 Lf6 He7 d8 f8 | i5"


def test_passing_in_the_middle_of_a_move_cannot_be_taken_back_and_the_partners_own_moves_can() -> None:
    state = with_cards(team("d4 e4 | i5", "everfrost"), 0, "titan", frozen="crystal-grower")
    passed = play(state, "T:crystal-grower;pass")
    assert GAME.barrier(state, passed)
    gone_on = play(passed, "go;e4")
    assert not GAME.barrier(passed, gone_on)
    one = play(gone_on, "P:a5")
    assert not GAME.barrier(gone_on, one)
    assert GAME.barrier(one, play(one, "P:a6"))


@pytest.mark.parametrize("audience", [1, 3, PUBLIC])
def test_a_move_on_its_way_shows_its_card_and_nothing_else_of_the_hand(audience: int) -> None:
    state = with_cards(team("f5 d6 e6 e7 | h5", "nethervoid"), 0, "possessed-summoner hell-hound titan flare-3")
    state = play(state, "S:possessed-summoner@e5r0;pass")
    check_hidden(state)
    assert list(GAME.view(state, audience).players[0].hand) == ["possessed-summoner"]  # type: ignore[attr-defined]
    assert list(GAME.view(state, 2).players[0].hand) == ["possessed-summoner", "titan"]  # type: ignore[attr-defined]


def test_partners_know_where_a_legend_lies_that_one_of_them_has_returned_and_others_do_not() -> None:
    state = play(with_cards(team("a5 | i5", "imperial"), 0, "herald titan"), "D:herald;titan")
    for audience, known in ((0, ["titan"]), (2, ["titan"]), (1, []), (3, []), (PUBLIC, [])):
        view = GAME.view(state, audience)
        assert isinstance(view, pb.View)
        assert [each.card for each in view.legends.known] == known
        assert list(view.players[0].sunk_legends) == known
    check_hidden(state)
