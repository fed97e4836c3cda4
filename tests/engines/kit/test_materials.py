"""Matches that are played with a file: it is named by its digest, and nothing else will do."""

from __future__ import annotations

import hashlib
import json
import random

import pytest
from hamle.engine.v1 import engine_pb2
from hamle.error.v1.error_pb2 import REASON_MATERIAL_INVALID, REASON_MATERIAL_MISSING, REASON_OPTION_INVALID

from core.errors import Refused
from core.log.types import Record
from core.materials.naming import MOST_BYTES, Material, digest_of, name_of
from engines.itchyfeet.deck import HOUSE, HOUSE_FILE
from engines.itchyfeet.game import GAME
from engines.kit.conformance import random_move
from engines.kit.history import History
from engines.kit.materials import materials_of, with_materials
from engines.kit.state import canonical
from engines.kit.verify import Exported, verify_log
from tests.engines.kit.table import Table

GAMES = {GAME.info.rules: GAME}
COLOUR = Material("colour", HOUSE.key, HOUSE.data)


def deck_named(name: str) -> bytes:
    return json.dumps(json.loads(HOUSE_FILE.read_bytes()) | {"name": name}).encode()


MINE = deck_named("mine")
OWN = GAME.with_material("deck", MINE)
VALUE = OWN.info.options[-1].values[-1]
MATERIAL = Material("deck", VALUE, MINE)


def played() -> list[Record]:
    table = Table(OWN, 2, options={"deck": VALUE})
    rng = random.Random(3)
    for _ in range(12):
        (seat, *_) = sorted(OWN.awaited(table.state.game))
        table.move(seat, random_move(OWN, table.state.game, seat, rng))
    table.command("ann", resign=engine_pb2.Resign())
    return table.records


RECORDS = played()


def exported() -> list[Exported]:
    history = History(GAMES, [MATERIAL])
    return [Exported(record, canonical(OWN, history.add(record)[2].state)) for record in RECORDS]


def test_a_file_is_one_value_more_of_its_option() -> None:
    assert GAME.info.options[-1].values == (HOUSE.key,)
    assert OWN.info.options[-1].values == (HOUSE.key, VALUE)
    assert (name_of(VALUE), len(digest_of(VALUE))) == ("mine", 64)
    assert materials_of(OWN.info, {"deck": VALUE}) == [MATERIAL]
    assert with_materials(OWN, [MATERIAL, Material("deck", HOUSE.key, HOUSE.data)]) is OWN


def test_a_value_that_nothing_names_tells_what_to_do() -> None:
    with pytest.raises(Refused) as refused:
        Table(GAME, 2, options={"deck": VALUE})
    assert refused.value.reason == REASON_OPTION_INVALID
    assert "hamle deck add FILE" in refused.value.message
    assert HOUSE.key in refused.value.metadata["expected"]


def test_the_first_event_pins_the_digest_and_the_export_is_enough_to_verify() -> None:
    created = History(GAMES, [MATERIAL]).add(RECORDS[0])[0].created
    assert created.options["deck"] == VALUE
    report = verify_log(exported(), GAMES, [MATERIAL])
    assert report.ok, report.failure


def test_without_the_bytes_nothing_is_folded() -> None:
    with pytest.raises(Refused) as refused:
        History(GAMES).add(RECORDS[0])
    assert refused.value.reason == REASON_MATERIAL_MISSING
    assert refused.value.metadata == {"option": "deck", "value": VALUE}
    failure = verify_log(exported(), GAMES).failure
    assert failure is not None
    assert (failure.seq, VALUE in failure.what) == (1, True)


@pytest.mark.parametrize(
    ("material", "what"),
    [
        (MATERIAL._replace(data=MINE + b" "), "was altered"),
        (MATERIAL._replace(data=MINE[:-1] + b" "), "was altered"),
        (MATERIAL._replace(value="mine"), "was altered"),
        (COLOUR, "takes no file"),
        (COLOUR._replace(option="events"), "takes no file"),
    ],
)
def test_other_bytes_than_the_named_ones_are_refused(material: Material, what: str) -> None:
    with pytest.raises(Refused, match=what) as refused:
        History(GAMES, [material]).add(RECORDS[0])
    assert refused.value.reason == REASON_MATERIAL_INVALID
    failure = verify_log(exported(), GAMES, [material]).failure
    assert failure is not None
    assert (failure.seq, failure.expected or failure.found) != (1, "")


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"{}", "these rules do not take the file"),
        (b" " * (MOST_BYTES + 1), f"the most is {MOST_BYTES}"),
        (deck_named("other"), "calls itself other-"),
    ],
)
def test_bytes_that_cannot_be_played_with_are_refused_though_their_digest_is_right(data: bytes, what: str) -> None:
    with pytest.raises(Refused, match=what) as refused:
        with_materials(GAME, [Material("deck", f"mine-{hashlib.sha256(data).hexdigest()}", data)])
    assert refused.value.reason == REASON_MATERIAL_INVALID
