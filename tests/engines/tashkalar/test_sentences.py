"""What moves tell, as people read it: the right card, seat, square and number, in both languages."""

from __future__ import annotations

import pytest

from core.fairness.draw import SeededDraw
from engines.tashkalar.game import GAME
from engines.tashkalar.meta import INFO
from engines.tashkalar.state import State
from tests.engines.tashkalar.corners import match, play, with_cards
from tests.engines.tashkalar.table import SEED, position

DUEL = match("a5 | Hc1 Hd1 He1", form="duel")
MELEE = match("e4 i5 | e6 | a7", form="melee", decks="imperial imperial imperial")
EVERFROST = "e6 e7 f7 f8 | e5"


def sentences(state: State, move: str, language: str) -> list[str]:
    """What the seat on turn reads of its move."""
    catalogue = INFO.catalogues[language]
    _, facts = GAME.apply(state, state.actor(), move, SeededDraw(SEED, 9))
    return [
        catalogue[fact.kind].format(**{name: catalogue.get(f"label.{value}", value) for name, value in fact.parameters})
        for fact in facts
    ]


@pytest.mark.parametrize(
    ("state", "move", "english", "turkish"),
    [
        (
            position("e4 e6 | Ha5 d4", hand="swordmaster"),
            "S:swordmaster@e5r0;d4",
            [
                "Seat 0 summons Swordmaster on e5.",
                "The common piece of colour 1 on d4 is destroyed.",
                "The piece of colour 0 on e5 is upgraded: heroic.",
            ],
            [
                "0 numaralı oyuncu e5 karesine Swordmaster çağırır.",
                "d4 karesindeki taş yok edilir: renk 1, sıradan.",
                "e5 karesindeki taş yükseltilir: renk 0, kahraman.",
            ],
        ),
        (
            position(EVERFROST, deck="everfrost", hand="everfrost-sentinel"),
            "S:everfrost-sentinel@e5r0;downgrade",
            [
                "Seat 0 summons Everfrost Sentinel on e5.",
                "The common piece of colour 1 on e5 is destroyed.",
                "The piece of colour 0 on e5 is downgraded: common.",
                "Every other side will have one action less.",
            ],
            [
                "0 numaralı oyuncu e5 karesine Everfrost Sentinel çağırır.",
                "e5 karesindeki taş yok edilir: renk 1, sıradan.",
                "e5 karesindeki taş düşürülür: renk 0, sıradan.",
                "Öteki her tarafın sonraki turunda bir eylemi eksik olur.",
            ],
        ),
        (
            position("a5 | a6", deck="everfrost", hand="flare-3", frozen="winter-whisperer"),
            "T:winter-whisperer;a5;flare-3",
            [
                "Seat 0 thaws Winter Whisperer.",
                "The common piece of colour 0 on a5 is destroyed.",
                "Seat 0 discards flare 3.",
                "Seat 0 gains actions: 1.",
            ],
            [
                "0 numaralı oyuncu donmuş etkiyi çözer: Winter Whisperer.",
                "a5 karesindeki taş yok edilir: renk 0, sıradan.",
                "0 numaralı oyuncu ıskartaya atar: parıltı 3.",
                "0 numaralı oyuncu eylem kazanır: 1.",
            ],
        ),
        (
            with_cards(DUEL, 0, "flare-1"),
            "F:flare-1;e5",
            [
                "Seat 0 invokes flare 1 against colour 1.",
                "Seat 0 gives a point to colour 1.",
                "A common piece of colour 0 is placed on e5.",
            ],
            [
                "0 numaralı oyuncu kullanır: parıltı 1, rakip: renk 1.",
                "0 numaralı oyuncu bir puan verir: renk 1.",
                "e5 karesine taş yerleştirilir: renk 0, sıradan.",
            ],
        ),
        (
            with_cards(MELEE, 0, "swordmaster"),
            "S:swordmaster@e5r0*e6",
            [
                "Seat 0 summons Swordmaster on e5.",
                "The common piece of colour 1 on e6 stands in for one of seat 0.",
            ],
            [
                "0 numaralı oyuncu e5 karesine Swordmaster çağırır.",
                "e6 karesindeki taş (renk 1, sıradan) 0 numaralı oyuncununki sayılır.",
            ],
        ),
        (
            position("b5 He5 | Hc6", deck="nethervoid", gateway="e5", counters=2),
            "P:b5>b6",
            ["Seat 0 lifts its common piece off b5.", "A common piece of colour 0 is placed on b6."],
            [
                "0 numaralı oyuncu b5 karesindeki taşını kaldırır: sıradan.",
                "b6 karesine taş yerleştirilir: renk 0, sıradan.",
            ],
        ),
        (
            position("e4 | Hd5", deck="etherweave", hand="merchant-of-time"),
            "W:merchant-of-time;d5",
            ["Seat 0 warps Merchant of Time.", "The heroic piece of colour 1 on d5 is stored by seat 0."],
            [
                "0 numaralı oyuncu büker: Merchant of Time.",
                "0 numaralı oyuncu d5 karesindeki taşı saklar: renk 1, kahraman.",
            ],
        ),
        (
            with_cards(match("a5", decks="imperial imperial imperial imperial"), 0, "herald knight titan flare-3"),
            "D:herald;flare-3;titan;knight",
            [
                "Seat 0 discards Herald.",
                "Seat 0 puts a flare under its deck.",
                "Seat 0 puts a legend under its deck.",
                "Seat 0 puts a being under its deck.",
            ],
            [
                "0 numaralı oyuncu ıskartaya atar: Herald.",
                "0 numaralı oyuncu destenin altına bir parıltı koyar.",
                "0 numaralı oyuncu destenin altına bir efsane koyar.",
                "0 numaralı oyuncu destesinin altına bir varlık koyar.",
            ],
        ),
        (
            match("a5", decks="imperial imperial imperial imperial"),
            "pass",
            ["Seat 0 gives control to seat 2."],
            ["0 numaralı oyuncu kontrolü devreder: oyuncu 2."],
        ),
    ],
    ids=("summon", "delay", "thaw", "flare", "improvised", "lift", "warp", "discard", "pass"),
)
def test_a_move_reads_as_what_it_did(state: State, move: str, english: list[str], turkish: list[str]) -> None:
    assert sentences(state, move, "en") == english
    assert sentences(state, move, "tr") == turkish


def test_the_gateway_reads_by_its_square_in_both_languages() -> None:
    state = position("d4 f5 | a5", deck="nethervoid", hand="shadow-imp")
    for language, told in (("en", "The Gateway is on e5."), ("tr", "Geçit e5 karesinde.")):
        assert sentences(state, "S:shadow-imp@e5r0;-", language)[1] == told


def test_the_points_of_a_turn_are_told_with_its_end() -> None:
    state = match("a5 | i5", form="duel", actions=0)
    state = state._replace(turn=state.turn._replace(destroyed=(0, 0, 0, 3, 1, 1)), scores=((15,), (0,)))
    told = sentences(state, "end", "en")
    assert told[0] == "Seat 0 scores 4 against colour 1."
    assert told[-1] == "The points for the end are reached in the turn of seat 0."
    assert play(state, "end").scores == ((19,), (0,))
