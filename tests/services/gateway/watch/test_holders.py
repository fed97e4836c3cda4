from __future__ import annotations

from core.errors import Refused
from services.gateway.account.keys import KeyRing
from services.gateway.account.verifier import CachedVerifier
from services.gateway.identity import Claims, Identity
from services.gateway.watch.holders import Holders

T = 1_000_000


class Known:
    """The verifier's knowledge of revocations; `asked` are the accounts that were looked up."""

    ring = KeyRing()

    def __init__(self) -> None:
        self.epochs: dict[str, int] = {}
        self.asked: list[str] = []

    def epoch(self, account_id: str) -> int:
        self.asked.append(account_id)
        return self.epochs.get(account_id, 0)

    def is_fresh(self) -> bool:
        return True


class Ended:
    """A watch that notes how it was ended."""

    def __init__(self) -> None:
        self.reasons: list[str] = []

    def end(self, why: Refused) -> None:
        self.reasons.append(why.name)


def claims(account: str, ends_ms: int, epoch: int = 0) -> Claims:
    return Claims(Identity(account, account, frozenset({"watch"}), epoch), ends_ms)


def test_a_revocation_looks_at_the_watches_of_its_account_alone() -> None:
    known = Known()
    holders = Holders(CachedVerifier(known).why_over)
    old, new, other = Ended(), Ended(), Ended()
    holders.add(old, claims("anna", T, 0))
    holders.add(new, claims("anna", T, 1))
    holders.add(other, claims("berk", T, 0))
    known.epochs["anna"] = 1
    holders.revoked("anna", 0)
    holders.revoked("nobody", 0)
    assert (old.reasons, new.reasons, other.reasons) == (["TOKEN_REVOKED"], [], [])
    assert known.asked == ["anna", "anna"]


def test_watches_end_with_their_tokens_one_after_the_other() -> None:
    holders = Holders(CachedVerifier(Known()).why_over)
    watches = [Ended() for _ in range(3)]
    for watch, end in zip(watches, (T + 2000, T, T + 1000), strict=True):
        holders.add(watch, claims("anna", end))
    ended = []
    for now in (T - 1, T, T + 999, T + 1000, T + 5000):
        holders.expire(now)
        ended.append([len(watch.reasons) > 0 for watch in watches])
        for watch, end in zip(watches, (T + 2000, T, T + 1000), strict=True):
            if watch.reasons == ["TOKEN_EXPIRED"]:
                holders.remove(watch, claims("anna", end))
                watch.reasons.append("removed")
    assert ended == [
        [False, False, False],
        [False, True, False],
        [False, True, False],
        [False, True, True],
        [True, True, True],
    ]
    assert holders.count("anna") == 0


def test_a_watch_that_begins_with_an_earlier_end_ends_earlier() -> None:
    holders = Holders(CachedVerifier(Known()).why_over)
    late, early = Ended(), Ended()
    holders.add(late, claims("anna", T + 10_000))
    holders.expire(T)
    holders.add(early, claims("berk", T + 1000))
    holders.expire(T + 1000)
    assert (late.reasons, early.reasons) == ([], ["TOKEN_EXPIRED"])


def test_watches_are_counted_by_account() -> None:
    holders = Holders(CachedVerifier(Known()).why_over)
    first, second = Ended(), Ended()
    for watch in (first, second):
        holders.add(watch, claims("anna", T))
    assert (holders.count("anna"), holders.count("berk")) == (2, 0)
    holders.remove(first, claims("anna", T))
    assert holders.count("anna") == 1
    holders.remove(second, claims("anna", T))
    assert holders.count("anna") == 0
