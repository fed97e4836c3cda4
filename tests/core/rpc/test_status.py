from __future__ import annotations

import re
from pathlib import Path

import grpc
import pytest
from google.rpc.error_details_pb2 import ErrorInfo, RetryInfo  # type: ignore[import-untyped]
from google.rpc.status_pb2 import Status  # type: ignore[import-untyped]
from hamle.error.v1.error_pb2 import Reason

from core.errors import Refused
from core.rpc.status import CODES, DETAILS_KEY, ending, refusal

PROTO = Path(__file__).parents[3] / "proto/hamle/error/v1/error.proto"


def commented_codes() -> dict[str, str]:
    """The gRPC code that each reason's comment begins with, as error.proto has it."""
    body = PROTO.read_text().partition("enum Reason {")[2].partition("\n}")[0]
    found = {}
    for comment, name in re.findall(r"((?:  //[^\n]*\n)+)  (REASON_\w+) = \d+;", body):
        found[name] = comment.strip().removeprefix("// ").partition(":")[0]
    return found


def test_every_reason_has_the_code_that_its_comment_names() -> None:
    told = commented_codes()
    assert told.pop("REASON_UNSPECIFIED") == "Never sent."
    assert {Reason.Name(reason): code.name for reason, code in CODES.items()} == told
    assert len(told) == len(Reason.keys()) - 1


def test_details_hold_error_info_first_and_retry_info_where_waiting_helps() -> None:
    refused = Refused(Reason.REASON_RATE_LIMITED, "too many calls", {"limit": "5"}, retry_after_ms=1500)
    code, message, ((key, value),) = ending(refused)
    assert (code, message, key) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "too many calls", DETAILS_KEY)
    status = Status.FromString(value)
    assert (status.code, status.message) == (8, "too many calls")
    info, retry = ErrorInfo(), RetryInfo()
    assert status.details[0].Unpack(info)
    assert status.details[1].Unpack(retry)
    assert (info.reason, info.domain, dict(info.metadata)) == ("RATE_LIMITED", "hamle", {"limit": "5"})
    assert retry.retry_delay.ToMilliseconds() == 1500
    assert len(Status.FromString(ending(Refused(Reason.REASON_MATCH_FULL, "full"))[2][0][1]).details) == 1


@pytest.mark.parametrize("reason", list(CODES))
def test_a_refusal_survives_the_way_to_the_client(reason: Reason.ValueType) -> None:
    sent = Refused(reason, "what, expected, next", {"match_id": "07kq3"}, retry_after_ms=250)
    got = refusal(ending(sent).trailing_metadata)
    assert got is not None
    assert vars(got) == vars(sent)


def test_a_rejection_that_names_no_reason_is_a_fault_of_the_server() -> None:
    assert ending(Refused(Reason.REASON_UNSPECIFIED, "?")).code is grpc.StatusCode.INTERNAL


def test_long_texts_are_cut_to_what_trailers_carry() -> None:
    metadata = {str(number): "ş" * 5_000 for number in range(100)}
    code, message, ((_, details),) = ending(Refused(Reason.REASON_ILLEGAL_MOVE, "ş" * 50_000, metadata))
    assert code is grpc.StatusCode.INVALID_ARGUMENT
    assert message.endswith("...")
    assert len(message.encode()) <= 1000
    assert len(details) < 6000


def test_trailers_that_tell_of_nothing_of_ours_give_none() -> None:
    foreign = Status(code=5, message="gone")
    foreign.details.add().Pack(ErrorInfo(reason="GONE", domain="example.org"))
    assert refusal(((DETAILS_KEY, foreign.SerializeToString()),)) is None
    assert refusal(((DETAILS_KEY, Status(code=5).SerializeToString()),)) is None
    assert refusal((("x-limit", "3"),)) is None
    assert refusal(None) is None


def test_a_reason_of_a_later_release_is_kept_as_unspecified() -> None:
    later = Status(code=9, message="new")
    later.details.add().Pack(ErrorInfo(reason="NOT_INVENTED_YET", domain="hamle"))
    got = refusal(((DETAILS_KEY, later.SerializeToString()),))
    assert got is not None
    assert (got.reason, got.message) == (Reason.REASON_UNSPECIFIED, "new")


def test_bytes_that_are_no_status_give_none() -> None:
    assert refusal(((DETAILS_KEY, b"\xff\xff"),)) is None
