"""A full state that agrees with a view: hidden cards are drawn uniformly from what is possible."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from google.protobuf.message import Message
from hamle.battleline.v1 import battleline_pb2 as pb

from engines.battleline.cards import FOG, MUD, NUMBERS, TACTICS, TROOPS
from engines.battleline.notation import DECKS
from engines.battleline.state import (
    NOBODY,
    TACTICS_DECK,
    TROOP_DECK,
    Cards,
    First,
    Front,
    Memory,
    Pair,
    Place,
    Result,
    Rules,
    State,
    Step,
    deck_of,
    unseen_troops,
)
from engines.kit.game import PUBLIC, Audience, Draw


def imagine(shown: Message, audience: Audience, draw: Draw) -> State:
    """A state that looks like `shown` to the audience; all such states are equally likely. Raises ValueError."""
    if not isinstance(shown, pb.View):
        raise ValueError(f"a {shown.DESCRIPTOR.full_name} is no view of Battle Line")
    first, second = shown.hands
    discards = (_cards(first.discards), _cards(second.discards))
    fronts = tuple(_front(flag) for flag in shown.flags)
    environment = _environment(shown)
    hands, decks = _hidden(shown, draw, _open(fronts, discards).union(environment))
    return State(
        rules=_rules(shown.options),
        hands=hands,
        decks=decks,
        fronts=fronts,
        fog=environment.get(FOG),
        mud=environment.get(MUD),
        discards=discards,
        played=(first.tactics_played, second.tactics_played),
        led=(first.leader_played, second.leader_played),
        unseen=unseen_troops(fronts, discards),
        turn=shown.turn,
        step=Step(shown.step),
        left=shown.left,
        drawn=shown.drawn,
        trim=shown.trim - 1,
        passes=shown.passes,
        memory=_memory(shown, audience, hands, draw),
        cut=_cards(shown.cut),
        starter=shown.starter,
        results=tuple(_result(result) for result in shown.results),
    )


def _cards(names: Iterable[str]) -> Cards:
    return tuple(NUMBERS[name] for name in names)


def _rules(options: pb.Options) -> Rules:
    return Rules(
        options.tactics,
        options.last_chance,
        options.open_fronts,
        First(options.first),
        options.automatic_trim,
        options.series,
    )


def _front(flag: pb.Flag) -> Front:
    sides = (_cards(flag.sides[0].cards), _cards(flag.sides[1].cards))
    return Front(sides, tuple(flag.entered), flag.owner if flag.HasField("owner") else NOBODY)


def _environment(shown: pb.View) -> dict[int, Place]:
    """Where Fog and Mud lie."""
    found = {}
    for flag in shown.flags:
        if flag.HasField("fog"):
            found[FOG] = Place(flag.number - 1, flag.fog)
        if flag.HasField("mud"):
            found[MUD] = Place(flag.number - 1, flag.mud)
    return found


def _open(fronts: tuple[Front, ...], discards: tuple[Cards, Cards]) -> set[int]:
    """All cards that lie face up, environment cards left out."""
    return {card for pile in (*discards, *(side for front in fronts for side in front.sides)) for card in pile}


def _result(result: pb.Result) -> Result:
    winner = result.winner if result.HasField("winner") else NOBODY
    return Result(result.reason, winner, (result.flags[0], result.flags[1]), (result.points[0], result.points[1]))


def _hidden(shown: pb.View, draw: Draw, face_up: set[int]) -> tuple[tuple[Cards, Cards], tuple[Cards, Cards]]:
    """Hands and decks: cards that are known stay, the others are dealt anew from all that lie nowhere open."""
    hands = [set(_cards(hand.cards)) for hand in shown.hands]
    if shown.HasField("scouted"):
        hands[1 - shown.scouted.seat].update(_cards(shown.scouted.held))
    piles = (shown.troops, shown.tactics)
    known = [_cards(pile.known) for pile in piles]
    located = face_up.union(*hands, *known)
    decks: list[Cards] = []
    for deck, everything in enumerate((range(TROOPS), TACTICS if shown.options.tactics else ())):
        hidden = _shuffled([card for card in everything if card not in located], draw, DECKS[deck])
        for hand, backs in zip(hands, shown.hands, strict=True):
            wanted = (backs.troops, backs.tactics)[deck] - sum(deck_of(card) == deck for card in hand)
            hand.update(hidden[:wanted])
            hidden = hidden[wanted:]
        if len(hidden) + len(known[deck]) != piles[deck].size:
            raise ValueError(f"the view shows {piles[deck].size} cards in the {DECKS[deck]} deck, which do not add up")
        decks.append((*hidden, *reversed(known[deck])))
    return (tuple(sorted(hands[0])), tuple(sorted(hands[1]))), (decks[TROOP_DECK], decks[TACTICS_DECK])


def _shuffled(cards: list[int], draw: Draw, purpose: str) -> Cards:
    return tuple(card for card in draw.shuffle(cards, purpose) if isinstance(card, int))


def _memory(shown: pb.View, audience: Audience, hands: tuple[Cards, Cards], draw: Draw) -> Memory | None:
    if not shown.HasField("scouted"):
        return None
    scouted = shown.scouted
    fewest: Pair = (scouted.fewest_troops, scouted.fewest_tactics)
    most: Pair = (scouted.most_troops, scouted.most_tactics)
    seen = _seen(hands[1 - scouted.seat], fewest, most, draw) if audience == PUBLIC else _cards(scouted.held)
    return Memory(scouted.seat, (shown.troops.returned, shown.tactics.returned), seen, fewest, most)


def _seen(hand: Cards, fewest: Pair, most: Pair, draw: Draw) -> Cards:
    """Which cards of the opponent's hand Scout's player has seen: the public can only bound their number."""
    held: list[int] = []
    for deck in (TROOP_DECK, TACTICS_DECK):
        cards = [card for card in hand if deck_of(card) == deck]
        sets = [some for size in range(fewest[deck], most[deck] + 1) for some in combinations(cards, size)]
        held += sets[draw.below(len(sets), "seen")]
    return tuple(sorted(held))
