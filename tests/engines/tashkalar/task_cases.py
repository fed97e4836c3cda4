"""For each task, positions and turns in which its condition holds or does not, down to each boundary.

Pieces are squares with C, H or L before them; C can be left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from engines.tashkalar.board import NAMED
from engines.tashkalar.state import Form, Rules, State, Summoned, Turn
from tests.engines.tashkalar.table import position


class Case(NamedTuple):
    """`destroyed` are ranks of enemy pieces, `summoned` ranks and squares."""

    told: str
    expected: bool
    own: str = ""
    enemy: str = ""
    destroyed: str = ""
    summoned: str = ""


def state_of(case: Case, seat: int, form: Form = Form.HIGH) -> State:
    """The position at the end of the seat's turn, without cards."""
    rules = Rules(form=form, decks=("imperial",) * (4 if form == Form.TEAM_HIGH else 2))
    colour = rules.colour(seat)
    sides = {colour: case.own, 1 - colour: case.enemy}
    board = [0] * 6
    for side, text in sides.items():
        for rank, square in _pieces(text):
            board[3 * side + rank] |= 1 << square
    destroyed = [0] * 6
    for letter in case.destroyed:
        destroyed[3 * (1 - colour) + "CHL".index(letter)] += 1
    summoned = tuple(Summoned(square, rank) for rank, square in _pieces(case.summoned))
    turn = Turn(seat=seat, actions=0, destroyed=tuple(destroyed), summoned=summoned)
    return position()._replace(rules=rules, board=tuple(board), turn=turn)


def _pieces(text: str) -> list[tuple[int, int]]:
    return [("CHL".index(word[0]) if word[0] in "CHL" else 0, NAMED[word[-2:]]) for word in text.split()]


def yes(told: str, own: str = "", enemy: str = "", destroyed: str = "", summoned: str = "") -> Case:
    return Case(told, True, own, enemy, destroyed, summoned)


def no(told: str, own: str = "", enemy: str = "", destroyed: str = "", summoned: str = "") -> Case:
    return Case(told, False, own, enemy, destroyed, summoned)


DESTRUCTION: Final[Mapping[str, tuple[Case, ...]]] = {
    "destruction": (
        yes("three commons", destroyed="CCC"),
        yes("any ranks count", destroyed="CHL"),
        no("two, whatever their rank", destroyed="LH"),
        no("none"),
    ),
    "devastation": (
        yes("four commons", destroyed="CCCC"),
        yes("any ranks count", destroyed="CCHL"),
        no("three, whatever their rank", destroyed="LHH"),
    ),
    "heroic-destruction": (
        yes("three, one of them heroic", destroyed="CCH"),
        yes("three, one of them legendary", destroyed="CCL"),
        no("many commons only", destroyed="CCCCC"),
        no("two upgraded ones", destroyed="HL"),
    ),
    "heroic-devastation": (
        yes("four, two of them heroic", destroyed="CCHH"),
        yes("four, a heroic and a legendary one", destroyed="CCHL"),
        no("four, one of them upgraded", destroyed="CCCL"),
        no("three upgraded ones", destroyed="HHL"),
    ),
    "end-of-legends": (
        yes("one legendary piece", destroyed="L"),
        yes("two heroic pieces", destroyed="HH"),
        no("one heroic piece and many commons", destroyed="HCCCC"),
        no("nothing"),
    ),
}

COLORED: Final[Mapping[str, tuple[Case, ...]]] = {
    "red-conquest": (
        yes("three on red, two of them heroic", own="d2 He5 Hh6"),
        yes("a legendary piece is upgraded too", own="c8 He5 Lh6"),
        yes("all four", own="Hd2 e5 h6 Hc8"),
        no("two", own="Hd2 He5"),
        no("three, one of them upgraded", own="Hd2 e5 h6"),
        no("the third is the enemy's", own="Hd2 He5", enemy="h6"),
        no("the third stands on green", own="Hd2 He5 c3"),
        no("the second heroic one stands beside", own="Hd2 e5 h6 He6"),
    ),
    "green-conquest": (
        yes("three on green, two of them heroic", own="c3 Hg3 Hi4"),
        yes("a legendary piece is upgraded too", own="a5 Hf8 Lg3"),
        no("two", own="Hc3 Hg3"),
        no("three, one of them upgraded", own="Hc3 g3 i4"),
        no("the third is the enemy's", own="Hc3 Hg3", enemy="i4"),
        no("the third stands on red", own="Hc3 Hg3 e5"),
    ),
    "color-conquest": (
        yes("five on both colours, three of them upgraded", own="Hd2 He5 Lc3 g3 i4"),
        yes("five on green alone", own="Hc3 Hg3 Hi4 a5 f8"),
        yes("four on red and one on green", own="Hd2 He5 Hh6 c8 c3"),
        no("four", own="Hd2 He5 Hc3 Hg3"),
        no("five, two of them upgraded", own="Hd2 He5 c3 g3 i4"),
        no("the fifth stands beside", own="Hd2 He5 Hc3 g3 i5"),
    ),
    "red-legends": (
        yes("a legendary and a heroic piece", own="Ld2 He5"),
        yes("two legendary pieces", own="Lh6 Lc8"),
        no("two heroic pieces", own="Hd2 He5"),
        no("a legendary piece and commons", own="Ld2 e5 h6 c8"),
        no("the legendary piece stands on green", own="Hd2 He5 Lc3"),
        no("the enemy's legendary piece", own="Hd2 He5", enemy="Lc8"),
    ),
    "green-legends": (
        yes("a legendary and a heroic piece", own="Lc3 Hg3"),
        yes("two legendary pieces", own="La5 Lf8"),
        no("two heroic pieces", own="Hi4 Hg3"),
        no("a legendary piece and commons", own="Lc3 g3 i4 a5 f8"),
        no("the legendary piece stands on red", own="Hc3 Hg3 Ld2"),
    ),
    "rainbow-dominance": (
        yes("one upgraded piece on each colour, the enemy none", own="Hd2 Lc3"),
        yes("commons of the enemy do not count", own="Hd2 Hc3", enemy="e5 h6 g3 i4"),
        yes("two to one on red, three to two on green", own="He5 Ld2 Hc3 Hg3 Li4", enemy="Hh6 Ha5 Lf8"),
        no("as many on red", own="Hd2 Hc3 Hg3", enemy="Le5"),
        no("as many on green", own="Hd2 He5 Hc3", enemy="Hg3"),
        no("none on green, the enemy neither", own="Hd2 He5"),
        no("none on red, the enemy neither", own="Hc3 Hg3"),
        no("own commons do not count", own="d2 c3"),
    ),
}

SUMMONING: Final[Mapping[str, tuple[Case, ...]]] = {
    "red-summoning": (
        yes("two, one on red", summoned="Ce5 Ha4"),
        yes("two on the same red square", summoned="Cd2 Hd2"),
        yes("the last of three on red", summoned="Ca4 Cb4 Hc8"),
        no("one on red", summoned="He5"),
        no("two beside", summoned="Ce4 Hg3"),
        no("pieces on red that were not summoned", own="Hd2 He5", summoned="Ca4 Cb4"),
    ),
    "green-summoning": (
        yes("two, one on green", summoned="Cc3 Ha4"),
        yes("two on the same green square", summoned="Cf8 Hf8"),
        no("one on green", summoned="Hg3"),
        no("two beside", summoned="Ce5 Hb3"),
    ),
    "colored-summoning": (
        yes("one on red, one on green", summoned="Ce5 Hc3"),
        yes("two on red", summoned="Cd2 Hh6"),
        yes("twice on the same green square", summoned="Ci4 Hi4"),
        yes("two of three", summoned="Ci4 Ce4 Hc8"),
        no("one on a colour, one beside", summoned="Ce5 He4"),
        no("one alone", summoned="Ce5"),
    ),
    "legendary-summoning": (
        yes("a common and a legend", summoned="Ca4 Le4"),
        yes("two legends", summoned="La4 Le4"),
        no("a legend alone", summoned="Le4"),
        no("two heroic beings", summoned="Ha4 He4"),
        no("a legendary piece that was not summoned", own="Le5", summoned="Ha4 Ce4"),
    ),
}

PATTERN: Final[Mapping[str, tuple[Case, ...]]] = {
    "central-dominance": (
        yes("five in the centre, two of them upgraded", own="Hd4 Le4 f4 d5 e5"),
        yes("all nine", own="Hd4 He4 f4 d5 e5 f5 d6 e6 f6"),
        no("four", own="Hd4 He4 Hf4 Hd5"),
        no("five, one of them upgraded", own="Hd4 e4 f4 d5 e5"),
        no("the fifth stands beside", own="Hd4 He4 f4 d5 c5"),
        no("the fifth is the enemy's", own="Hd4 He4 f4 d5", enemy="e5"),
    ),
    "center-cross": (
        yes("the upright cross", own="e4 d5 e5 f5 e6"),
        yes("the diagonal cross, ranks do not matter", own="d4 Hf4 Le5 d6 f6"),
        no("an arm of the upright cross is missing", own="e4 d5 e5 f5 d4 f4 d6"),
        no("the middle is missing", own="e4 d5 f5 e6 d4 f4 d6 f6"),
        no("an arm is the enemy's", own="e4 d5 e5 f5", enemy="e6"),
    ),
    "line-dominance": (
        *(
            yes(f"six more on {line}", own=own)
            for line, own in {
                "row 4": "a4 b4 c4 d4 e4 i4",
                "row 5": "a5 b5 c5 g5 h5 i5",
                "row 6": "a6 b6 c6 d6 h6 i6",
                "column d": "d1 d2 d3 d4 d8 d9",
                "column e": "e1 e2 e3 e7 e8 e9",
                "column f": "f1 f2 f3 f7 f8 f9",
            }.items()
        ),
        yes("seven to one", own="a5 b5 c5 d5 e5 f5 g5", enemy="h5"),
        no("seven to two", own="a5 b5 c5 d5 e5 f5 g5", enemy="h5 i5"),
        no("five to none", own="a5 b5 c5 d5 e5"),
        no("row 3 does not count", own="a3 b3 c3 d3 e3 f3 g3 h3 i3"),
        no("column g does not count", own="g1 g2 g3 g4 g5 g6 g7 g8 g9"),
        no("six spread over two lines", own="a5 b5 c5 e1 e2 e3"),
    ),
    "diagonals": (
        yes("four on each, one of them heroic", own="b2 c3 Hd4 f6 b8 c7 Hd6 f4"),
        yes("a legendary centre serves both", own="b2 c3 d4 Le5 b8 c7 d6"),
        no("three on one", own="b2 c3 He5 b8 c7 d6"),
        no("three on the other", own="b2 c3 d4 He5 b8 c7"),
        no("no upgraded one on one of them", own="b2 c3 d4 f6 b8 c7 Hd6 f4"),
        no("no upgraded one on the other", own="b2 c3 Hd4 f6 b8 c7 d6 f4"),
    ),
    "side-chain": (
        yes("left to right in a row", own="a5 b5 c5 d5 e5 f5 g5 h5 i5"),
        yes("top to bottom, diagonal links count", own="c1 d2 c3 d4 c5 d6 c7 d8 c9"),
        yes("round a bend", own="a3 b3 c3 d4 e5 f6 g6 h5 i4"),
        no("a link is missing", own="a5 b5 c5 d5 f5 g5 h5 i5"),
        no("a link is the enemy's", own="a5 b5 c5 d5 f5 g5 h5 i5", enemy="e5"),
        no("left to top", own="a5 b4 c3 d2 e1"),
        no("b2 is on no side", own="b2 c3 d4 e5 f6 g7 h8"),
        no("two sides held, nothing between", own="a3 a4 a5 i5 i6"),
    ),
    "corner-chain": (
        yes("north-west to south-east", own="b2 c3 d4 e5 f6 g7 h8"),
        yes("north-east to south-west, by the corners' outer squares", own="i3 h4 g5 f5 e5 d5 c6 b6 a7"),
        no("a link is missing", own="b2 c3 d4 f6 g7 h8"),
        no("along one side", own="a3 a4 a5 a6 a7"),
        no("sides, but not corners", own="a5 b5 c5 d5 e5 f5 g5 h5 i5"),
        no("a link is the enemy's", own="b2 c3 d4 f6 g7 h8", enemy="e5"),
    ),
}

ENEMY: Final[Mapping[str, tuple[Case, ...]]] = {
    "imprisonment": (
        yes("six beside a common", own="d4 e4 f4 d5 f5 d6", enemy="e5"),
        yes("seven beside a legendary piece", own="d4 e4 f4 d5 f5 d6 e6", enemy="Le5"),
        no("five", own="d4 e4 f4 d5 f5", enemy="e5"),
        no("five and an enemy piece", own="d4 e4 f4 d5 f5", enemy="e5 e6"),
        no("six around an empty square", own="d4 e4 f4 d5 f5 d6"),
        no("six around an own piece", own="d4 e4 f4 d5 f5 d6 e5", enemy="a5"),
        no("three beside each of two", own="d4 e4 f4 d8 e8 f8", enemy="e5 e9"),
    ),
    "envelopment": (
        yes("seven", own="d4 e4 f4 d5 f5 d6 e6", enemy="e5"),
        yes("all eight", own="d4 e4 f4 d5 f5 d6 e6 f6", enemy="He5"),
        no("six", own="d4 e4 f4 d5 f5 d6", enemy="e5"),
    ),
    "isolation": (
        yes("fenced in two squares from the other", own="d4 e4 f4 d5 f5 d6 e6 f6", enemy="e5 e7"),
        yes("four steps round a wall", own="c6 d6 e6 f6", enemy="d5 Le7"),
        yes("far from a third one", own="c6 d6 e6 f6", enemy="d5 e7 h2"),
        no("three steps round a wall", own="d6 e6 f6", enemy="e5 e7"),
        no("three steps to a third one", own="c6 d6 e6 f6", enemy="d5 e7 c9 b3"),
        no("fenced in three squares from the other", own="d4 e4 f4 d5 f5 d6 e6 f6", enemy="e5 e8"),
        no("next to the other", own="d4 e4 f4 d5 f5 d6 f6", enemy="e5 e6"),
        no("a step brings it there", own="d4 e4 f4 d5 f5 d6 f6", enemy="e5 e7"),
        no("the only one", own="d4 e4 f4 d5 f5 d6 e6 f6", enemy="e5"),
        no("none"),
    ),
}

CASES: Final = {**DESTRUCTION, **COLORED, **SUMMONING, **PATTERN, **ENEMY}
