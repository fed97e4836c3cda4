"""What audiences surely know, through reshuffles, tours and leaving; what redacted moves and facts hide."""

from __future__ import annotations

from collections import Counter

import pytest

from core.fairness.draw import SeededDraw
from engines.itchyfeet.deck import HOUSE
from engines.itchyfeet.game import GAME
from engines.itchyfeet.setup import all_cards
from engines.itchyfeet.state import Block, Rules, State
from engines.kit.game import PUBLIC, Audience, Fact
from tests.engines.itchyfeet.arranged import TURKEY
from tests.engines.itchyfeet.table import cards, everything, left, play, position, tell, texts

EVENTS = Rules(events=True)
SEEN = "mousetrap lost_reservation"


def known(state: State, audience: Audience, seat: int) -> str:
    return " ".join(HOUSE.ids(state.known[seat][audience]))


def whole(state: State) -> State:
    """The position with all other cards of the match in a block under the pile."""
    held = everything(state)
    rest = Counter(all_cards(state.deck, state.rules)) - held
    passports = [card for card in sorted(state.deck.passports) if not held[card]]
    dealt = len(state.hands) - sum(held[card] for card in state.deck.passports)
    block = Block(tuple(sorted([*rest.elements(), *passports[:dealt]])))
    return state._replace(pile=(*state.pile, block))


def always_imagined(state: State, audience: Audience, seat: int, wanted: str) -> bool:
    """Every imagined state has these cards in the hand, and looks the same."""
    view = GAME.view(state, audience)
    for seed in range(20):
        other = GAME.imagine(view, audience, SeededDraw(bytes([seed] * 32), 1))
        assert isinstance(other, State)
        assert GAME.view(other, audience) == view
        if not set(cards(wanted)) <= set(other.hands[seat]):
            return False
    return True


def test_a_tour_makes_all_forget_and_the_giver_know_what_it_gave() -> None:
    # 7, 6.3: unseen; the hand shown by the travel is known no more.
    state = position(TURKEY + " bug_spray", "camera", "camera", pile="sunscreen group_tour camera", discard=SEEN)
    state = play(whole(state), "0 travel")
    assert known(state, 3, 0) == known(state, 1, 0) == "bug_spray passport_01"
    state = play(state, "1 draw", "0 pick:bug_spray", "1 pick:camera", "2 pick:camera")
    assert [known(state, audience, 0) for audience in (1, 2, 3)] == ["passport_01", "camera", ""]  # 1 saw which went
    assert [known(state, audience, 1) for audience in (0, 2, 3)] == ["bug_spray", "", ""]
    assert always_imagined(state, 0, 1, "bug_spray")
    assert not always_imagined(state, 2, 1, "bug_spray")


def test_a_known_card_that_is_passed_on_unseen_is_known_to_nobody_else() -> None:
    # 7: the receiver gives another card; both could have gone, for all that a third seat knows.
    state = position("camera", "sunscreen", "bug_spray", pile="group_tour camera", rules=EVENTS)
    state = play(state, "0 offer:1:camera>sunscreen", "1 decline", "0 draw")
    assert known(state, 2, 0) == "camera"
    state = play(state, "0 pick:camera", "1 pick:sunscreen", "2 pick:bug_spray")
    assert [known(state, audience, 1) for audience in (0, 2, 3)] == ["camera", "", ""]


def test_cards_put_under_the_pile_are_known_to_who_put_them_until_the_pile_is_shuffled() -> None:
    # 7; R10: then all know the discards, and nobody the order.
    state = position("trading_post sunscreen warm_coat", "camera", pile="camera camera")
    state = play(state, "0 play:trading_post:sunscreen+warm_coat", "0 draw")
    assert [block.knowers for block in state.pile] == [0b001, 0b001]
    told = tell(state, 1, "draw")[1]
    assert [fact.audiences for fact in told if fact.kind == "drew_card"] == [frozenset({0, 1})]
    state = play(state, "1 draw")
    assert (known(state, 0, 1), known(state, 2, 1)) == ("sunscreen", "")
    state = play(state, "0 draw")
    assert state.pile == (Block(cards("trading_post"), 0b111),)


def test_a_reshuffled_card_that_is_the_only_one_is_known_to_all_in_the_hand_that_draws_it() -> None:
    # R10, R17: all know which card it is, the public too.
    state = play(position("camera", "camera", pile="sunscreen", discard="bug_spray"), "0 draw", "1 draw")
    assert [known(state, audience, 1) for audience in (0, 2)] == ["bug_spray", "bug_spray"]
    assert known(state, 2, 0) == ""


def test_what_is_left_of_a_reshuffled_pile_is_known_to_the_drawer_alone() -> None:
    # 7: the others do not know which of the cards went.
    state = play(position("camera", "camera", pile="sunscreen", discard="bug_spray warm_coat"), "0 draw", "1 draw")
    assert [block.knowers for block in state.pile] == [0b010]
    for audience, size in ((0, 0), (1, 1), (PUBLIC, 0)):
        view = GAME.view(state, audience)
        assert len(view.pile[0].cards) == size  # type: ignore[attr-defined]


def test_a_traded_card_is_known_until_one_leaves_that_hand_unseen() -> None:
    # 7, R28.
    state = position("camera", "sunscreen bug_spray", "warm_coat", pile="camera " * 9, discard=SEEN)
    state = play(state, "0 offer:1:camera>sunscreen", "1 accept")
    assert (known(state, 3, 0), known(state, 3, 1)) == ("sunscreen", "camera")
    paid = play(state, "1 recycle:mousetrap:camera+bug_spray")
    assert (known(paid, 3, 1), known(paid, 3, 0)) == ("mousetrap", "sunscreen")
    state = play(state, "1 draw", "2 steal:1:warm_coat")
    assert [known(state, audience, 1) for audience in (0, 3)] == ["", ""]
    assert known(state, 3, 0) == "sunscreen"


def test_a_blocked_traveller_s_hand_stays_known() -> None:
    # 2.4, R29: it was shown, and nothing left it.
    state = play(position(TURKEY, "lost_reservation", "camera"), "0 travel", "2 pass", "1 block:lost_reservation")
    assert known(state, 3, 0) == " ".join(HOUSE.ids(cards(TURKEY)))


def test_a_leaver_s_cards_are_seen_in_the_discard_pile_and_known_in_no_hand() -> None:
    # R57, R17.
    state = play(position("camera", "sunscreen", "camera"), "0 offer:1:camera>sunscreen", "1 accept")
    after = left(state, 1)
    assert all(known(after, audience, 1) == "" for audience in range(4))
    assert "camera" in HOUSE.ids(after.discard)
    assert known(after, 3, 0) == "sunscreen"


def test_cards_a_leaver_looked_at_are_known_to_it_alone_under_the_pile() -> None:
    # R57, [H].
    state = play(position("local_guide", "camera", "camera", pile="sunscreen bug_spray"), "0 play:local_guide")
    after, facts = GAME.leave(state, 0, SeededDraw(bytes(32), 9))
    assert [block.knowers for block in after.pile] == [0b001]
    assert not any("Sunscreen" in dict(fact.parameters).values() for fact in facts)
    for audience in (1, PUBLIC):
        assert not GAME.view(after, audience).pile[0].cards  # type: ignore[attr-defined]


def shown(facts: tuple[Fact, ...], audience: Audience) -> str:
    return str([fact for fact in facts if fact.audiences is None or audience in fact.audiences])


HIDDEN = [
    (play(position("local_guide", "camera", "camera", pile="bug_spray warm_coat"), "0 play:local_guide"), 0),
    (
        play(
            position("sticky_fingers", "bug_spray warm_coat", "camera", discard=SEEN),
            "0 play:sticky_fingers:1",
        ),
        0,
    ),
    (position("trading_post bug_spray warm_coat", "camera", "camera"), 0),
    (play(position("bug_spray warm_coat", "camera", "camera", pile="group_tour camera"), "0 draw"), 0),
]
MOVES = ["take:{}", "take:{}", "play:trading_post:{}", "pick:{}"]


@pytest.mark.parametrize(("at", "move"), list(enumerate(MOVES)))
def test_a_hidden_choice_reads_and_looks_the_same_to_who_does_not_see_it(at: int, move: str) -> None:
    # 7: the redacted move, what is told, and the view after it.
    state, seat = HIDDEN[at]
    for audience in (2, PUBLIC):
        seen = []
        for card in ("bug_spray", "warm_coat"):
            text = move.format(card)
            after, facts = tell(state, seat, text)
            view = GAME.view(after, audience).SerializeToString(deterministic=True)
            seen.append((GAME.redact(state, seat, text, audience), shown(tuple(facts), audience), view))
        assert seen[0] == seen[1]
        assert "*" in seen[0][0]


@pytest.mark.parametrize("audience", [0, PUBLIC])
def test_imagined_hands_hold_no_event_and_no_win(audience: Audience) -> None:
    # 3, R46: an event is played when it is drawn, and four postcards end the match. Forks are dealt so, too.
    held = position("camera", "camera " * 6, "sunscreen sunscreen", pile="", rules=Rules(events=True, postcards=True))
    known_postcards = list(held.known)
    three = cards("postcard_1 postcard_2 postcard_3")
    known_postcards[1] = (three, (), (), three)
    hands = (cards("passport_01"), cards("postcard_1 postcard_2 postcard_3 passport_02 passport_03 camera camera"), ())
    state = whole(held._replace(hands=hands, known=tuple(known_postcards)))
    view, varied = GAME.view(state, audience), set()
    for seed in range(60):
        other = GAME.imagine(view, audience, SeededDraw(bytes([seed] * 32), 1))
        assert isinstance(other, State)
        assert GAME.view(other, audience) == view
        varied.add(other.hands[1])
        assert not any(card in HOUSE.events for hand in other.hands for card in hand)
        assert all(sum(card in HOUSE.postcards for card in hand) < 4 for hand in other.hands)
    assert len(varied) > 30


@pytest.mark.parametrize(
    ("at", "move"),
    [
        (play(position("local_guide", "", pile="camera " * 4), "0 play:local_guide"), "take:camera"),
        (play(position("sticky_fingers", "camera", discard="mousetrap"), "0 play:sticky_fingers:1"), "take:camera"),
    ],
    ids=["guide", "fingers"],
)
def test_an_empty_hand_draws_in_an_event_of_its_own_after_a_hidden_choice(at: State, move: str) -> None:
    state = play(at, f"0 {move}")
    assert (texts(state, 1), state.hands[1]) == (["draw"], ())
    assert len(play(state, "1 draw").hands[1]) == 3


def test_others_forget_a_hand_that_puts_a_card_under_the_pile() -> None:
    state = position("trading_post camera sunscreen", "camera", "camera")
    state = play(state, "0 offer:1:camera>bug_spray", "1 decline")
    assert [known(state, who, 0) for who in (1, 2, 3)] == ["camera"] * 3
    state = play(state, "0 play:trading_post:sunscreen")
    assert [known(state, who, 0) for who in (1, 2, 3)] == [""] * 3
