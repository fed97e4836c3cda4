"""Draws of several cards that empty the pile on their way, and events that come up where few expect them."""

from __future__ import annotations

import pytest

from engines.itchyfeet.deck import HOUSE
from engines.itchyfeet.game import GAME
from engines.itchyfeet.state import Block, Kind, Rules, State
from engines.kit.game import PUBLIC
from tests.engines.itchyfeet.table import ALL_ON, cards, hand, left, play, position, start, tell, texts

NO_SPECIALS = Rules(True, False, True, True, True)


def piles(state: State) -> tuple[list[str], str]:
    """The draw pile block by block, and the discard pile."""
    return [" ".join(HOUSE.ids(block.cards)) for block in state.pile], " ".join(HOUSE.ids(state.discard))


def test_a_voucher_that_empties_the_pile_goes_on_with_the_reshuffled_discards_without_itself() -> None:
    # R10, R49: the card in use lies there only after its effect.
    state = position("duty_free_voucher", "camera", pile="sunscreen", discard="bug_spray")
    state = play(state, "0 play:duty_free_voucher")
    assert hand(state, 0) == "sunscreen bug_spray"
    assert piles(state) == ([], "duty_free_voucher")
    assert hand(play(state, "0 draw"), 0) == "sunscreen bug_spray duty_free_voucher"


def test_a_voucher_from_two_empty_piles_draws_nothing_and_is_spent() -> None:
    # R11.
    state = play(position("duty_free_voucher camera", "camera", pile=""), "0 play:duty_free_voucher")
    assert (hand(state, 0), piles(state), state.active) == ("camera", ([], "duty_free_voucher"), 0)


def test_an_event_that_is_the_last_card_comes_up_again_in_the_same_draw_of_two() -> None:
    # R10, R13, R15: it is resolved, lies in the discard pile, and that is what there is to draw.
    state = position("duty_free_voucher", "camera", pile="civil_unrest", aside="mexico peru")
    state, facts = tell(state, 0, "play:duty_free_voucher")
    assert [fact.kind for fact in facts if fact.kind in ("event", "reshuffled")] == ["event", "reshuffled", "event"]
    assert [HOUSE.countries[country].id for country in (state.centre, *state.queue)] == ["peru", "norway", "mexico"]
    assert hand(state, 0) == ""


def test_a_sale_that_empties_the_pile_reshuffles_for_who_comes_after() -> None:
    # R10, R14: the sale itself is not among the reshuffled.
    state = position("camera", "camera", "camera", pile="duty_free_sale sunscreen", discard="bug_spray", active=2)
    state = state._replace(rules=NO_SPECIALS)
    state = play(state, "2 draw")
    assert [hand(state, seat) for seat in (2, 0, 1)] == ["sunscreen camera", "camera bug_spray", "camera"]
    assert piles(state) == ([], "duty_free_sale")


def test_a_sale_as_the_last_card_is_drawn_from_the_discards() -> None:
    # R10: right after the last card is drawn, before the event.
    state = position("camera", "camera", pile="duty_free_sale", discard="sunscreen sunscreen", rules=NO_SPECIALS)
    state, facts = tell(state, 0, "draw")
    assert [fact.kind for fact in facts][:2] == ["reshuffled", "event"]
    assert (hand(state, 0), hand(state, 1)) == ("sunscreen camera", "sunscreen camera")


def test_a_sale_alone_gives_nothing_and_does_not_come_round() -> None:
    # R14: the chain ends.
    state = play(position("camera", "camera", pile="duty_free_sale", rules=NO_SPECIALS), "0 draw")
    assert (hand(state, 0), hand(state, 1), piles(state)) == ("camera", "camera", ([], "duty_free_sale"))


def test_a_globetrotter_whose_second_card_is_reshuffled_or_missing() -> None:
    # R10, 6.3: one card in hand is no reason to discard.
    both = position("camera", "camera", pile="sunscreen", discard="bug_spray", characters="globetrotter")
    state = play(both, "0 draw")
    assert texts(state, 0) == ["discard:sunscreen", "discard:camera", "discard:bug_spray"]
    one = play(position("camera", "camera", pile="sunscreen", characters="globetrotter"), "0 draw")
    assert (hand(one, 0), one.active) == ("sunscreen camera", 1)


def test_a_globetrotter_passes_the_first_card_on_in_a_group_tour_and_discards_nothing() -> None:
    # R13, R16: the tour was the second draw, so one card reached the hand.
    state = position("", "bug_spray", pile="sunscreen group_tour camera", characters="globetrotter")
    state = play(state, "0 draw")
    assert state.agenda[-1].kind is Kind.TOUR
    state = play(state, "1 pick:bug_spray", "0 pick:sunscreen")
    assert (hand(state, 0), hand(state, 1), state.active) == ("bug_spray", "sunscreen", 1)


def test_a_globetrotter_at_the_limit_discards_for_the_ability_then_for_the_limit() -> None:
    # R18: the draw of two is one effect.
    state = position("camera " * 7, "camera", pile="sunscreen bug_spray camera", characters="globetrotter")
    state = play(state, "0 draw", "0 discard:sunscreen")
    assert (state.agenda[-1].kind, len(state.hands[0])) == (Kind.LIMITS, 8)
    assert play(state, "0 discard:bug_spray").active == 1


def test_a_local_guide_who_ends_the_pile_has_it_reshuffled_without_the_guide() -> None:
    # R10, notes to 6.3: taking the last card is no draw, but the pile is empty then.
    state = position("local_guide", "camera", pile="sunscreen", discard="bug_spray")
    state = play(state, "0 play:local_guide")
    assert piles(state) == ([], "bug_spray")
    taken = play(state, "0 take:sunscreen")
    assert (piles(taken), hand(taken, 0)) == ((["bug_spray"], "local_guide"), "sunscreen")
    none = play(state, "0 take:none")
    assert (piles(none), hand(none, 0)) == ((["sunscreen"], "bug_spray local_guide"), "")


def test_a_local_guide_finds_events_alone_and_takes_none() -> None:
    # 6.3: events seen do nothing.
    state = play(position("local_guide", "camera", pile="civil_unrest group_tour"), "0 play:local_guide")
    assert texts(state, 0) == ["take:none"]
    after = play(state, "0 take:none")
    assert sorted(after.pile[0].cards) == sorted(cards("civil_unrest group_tour"))
    assert piles(after)[1] == "local_guide"
    assert HOUSE.countries[after.centre].id == "norway"


def test_a_local_guide_who_leaves_over_an_emptied_pile_leaves_the_cards_in_it() -> None:
    # R57, [H]: cards that it looked at go under the pile.
    state = play(position("local_guide camera", "camera", "camera", pile="sunscreen bug_spray"), "0 play:local_guide")
    after = left(state, 0)
    assert piles(after) == (["sunscreen bug_spray"], "camera local_guide")
    assert (after.active, after.agenda[-1].kind) == (1, Kind.ACTION)


@pytest.mark.parametrize("discard", ["", "camera"])
def test_a_trading_post_on_an_empty_pile_draws_its_own_cards_again(discard: str) -> None:
    # Notes to 6.3: never the discard pile; R10 after the last card.
    state = position("trading_post sunscreen bug_spray", "camera", pile="", discard=discard)
    state = play(state, "0 play:trading_post:sunscreen+bug_spray", "0 draw")
    assert hand(state, 0) == "sunscreen bug_spray"
    assert piles(state) == ([discard] if discard else [], "trading_post")


def test_a_sale_in_the_middle_of_a_trading_post_takes_from_the_cards_put_under() -> None:
    # R13: the rest of the draw comes after the sale, from what there is then.
    state = position("trading_post sunscreen bug_spray", "camera", pile="duty_free_sale", rules=Rules(True, True))
    state = play(state, "0 play:trading_post:sunscreen+bug_spray", "0 draw")
    assert (hand(state, 0), hand(state, 1)) == ("sunscreen", "camera bug_spray")
    assert piles(state) == ([], "duty_free_sale trading_post")  # the second draw was the sale again: R10, R15


def test_an_opening_deal_holds_no_event_and_the_first_draw_may_be_one() -> None:
    # R3: events go in after the starting hands.
    for seed in range(1, 20):
        state = start(6, seed, **ALL_ON)
        assert not any(card in HOUSE.events for held in state.hands for card in held)
        assert HOUSE.events <= set(state.pile[0].cards)


def test_a_tour_out_of_turn_asks_all_goes_left_and_gives_the_turn_back() -> None:
    # H7, R16, R48: by a Voucher of seat 2 in the turn of seat 0; the second card waits for its word.
    state = position("camera", "sunscreen", "duty_free_voucher", pile="group_tour bug_spray camera")
    state = play(state, "2 play:duty_free_voucher")
    assert (GAME.awaited(state), state.active) == (frozenset({0, 1}), 0)  # seat 2 has no card left
    state = play(state, "0 pick:camera", "1 pick:sunscreen")
    assert GAME.awaited(state) == GAME.may_act(state) == {2}
    state = play(state, "2 draw")
    assert [hand(state, seat) for seat in range(3)] == ["", "camera", "sunscreen bug_spray"]
    assert (state.active, state.agenda[-1].kind, texts(state, 0)) == (0, Kind.ACTION, ["draw"])


def test_a_voucher_out_of_turn_may_leave_the_active_seat_nothing_but_a_pass() -> None:
    # R2, R11, R48.
    state = position("fireworks", "duty_free_voucher", pile="camera")
    assert texts(state, 0) == ["draw", "offer:"]
    state = play(state, "1 play:duty_free_voucher")
    assert piles(state) == ([], "duty_free_voucher")
    assert texts(state._replace(discard=()), 0) == ["offer:", "pass"]
    assert texts(state, 0) == ["draw", "offer:"]  # the Voucher itself can be drawn: R10


def test_what_a_guide_looks_at_does_not_show_in_what_others_still_know_of_the_pile() -> None:
    # 6.3, R28: all know the reshuffled cards; which of them the guide looks at is the guide's alone.
    views = []
    for seed in range(1, 9):
        pile = (Block(cards("sunscreen")), Block(cards("sunscreen")), Block(cards("sunscreen")))
        known = Block(cards("bug_spray civil_unrest lost_luggage"), 0b111)
        state = position("local_guide", "camera")._replace(pile=(*pile, Block(cards("rain_jacket")), known))
        after, _ = tell(state, 0, "play:local_guide", seed)
        assert after.pile[0].knowers == 0b001
        views.append([GAME.view(after, audience).SerializeToString(deterministic=True) for audience in (1, PUBLIC)])
    assert all(view == views[0] for view in views)


def test_an_event_that_is_drawn_is_seen_so_what_is_left_stays_known() -> None:
    # 3: it is played the moment it is drawn.
    state = position("camera", "camera")._replace(pile=(Block(cards("civil_unrest lost_luggage"), 0b111),))
    after = play(state, "0 draw")
    assert [block.knowers for block in after.pile] == [0b111]
