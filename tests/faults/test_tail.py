"""Which matches a run takes for having lost events."""

from __future__ import annotations

from hamle_client import Cursor

from tests.faults.ledger import Ledger, Place
from tests.faults.records import Game
from tests.faults.tail import forgotten

GAME = Game({}, ("a", "b"), ends=False)


def told(match_id: str, *seqs: int) -> Ledger:
    ledger = Ledger(match_id, GAME)
    ledger.watch("spectator").extend(Place(seq, b"", "moved") for seq in seqs)
    return ledger


async def test_a_match_is_lost_when_clients_know_more_than_the_store() -> None:
    whole, cut = told("m1", 1, 2), told("m2", 1, 2, 3)

    async def heads(match_ids: list[str]) -> dict[str, tuple[int, bytes]]:
        return dict.fromkeys(match_ids, (2, b"hash"))

    assert await forgotten([whole, cut], heads) == {cut: Cursor(2, b"hash")}


async def test_a_match_that_goes_on_while_heads_are_read_is_not_lost() -> None:
    ledger = told("m1", 1, 2)

    async def heads(match_ids: list[str]) -> dict[str, tuple[int, bytes]]:
        ledger.watches["spectator"].append(Place(3, b"", "moved"))
        return dict.fromkeys(match_ids, (2, b"hash"))

    assert await forgotten([ledger], heads) == {}
