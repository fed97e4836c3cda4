from __future__ import annotations

from hamle.match.v1.match_pb2 import Choice
from hamle_client import HamleError
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document

from cli.choices import ChoiceTree, MoveCompleter

MOVES = {
    "": ["TRA:", "ret:", "xc3f"],
    "TRA:": ["TRA:B2", "TRA:B3"],
    "TRA:B2": ["TRA:B2@4"],
    "TRA:B2@4": ["TRA:B2@4>6", "TRA:B2@4>7"],
    "ret:": ["ret:R7"],
}
COMPLETE = {"xc3f", "TRA:B3", "TRA:B2@4", "TRA:B2@4>6", "TRA:B2@4>7", "ret:R7"}


class Server:
    def __init__(self) -> None:
        self.asked: list[str] = []

    async def choices(self, prefix: str) -> list[Choice]:
        self.asked.append(prefix)
        return [Choice(text=text, complete=text in COMPLETE) for text in MOVES.get(prefix, [])]


async def texts(tree: ChoiceTree, typed: str) -> list[str]:
    return [choice.text for choice in await tree.suggest(typed)]


async def test_nothing_typed_offers_all_beginnings() -> None:
    assert await texts(ChoiceTree(Server().choices), "") == ["TRA:", "ret:", "xc3f"]


async def test_part_of_a_part_offers_what_begins_so() -> None:
    tree = ChoiceTree(Server().choices)
    assert await texts(tree, "T") == ["TRA:"]
    assert await texts(tree, "TRA:B") == ["TRA:B2", "TRA:B3"]
    assert await texts(tree, "zzz") == []


async def test_whole_part_offers_what_follows_it() -> None:
    tree = ChoiceTree(Server().choices)
    assert await texts(tree, "TRA:") == ["TRA:B2", "TRA:B3"]
    assert await texts(tree, "TRA:B2@4") == ["TRA:B2@4>6", "TRA:B2@4>7"]
    assert await texts(tree, "TRA:B2@4>6") == []


async def test_what_must_follow_is_filled_in_up_to_a_choice_or_a_move() -> None:
    tree = ChoiceTree(Server().choices)
    assert await tree.unfold("T") == "TRA:"
    assert await tree.unfold("re") == "ret:"
    assert await tree.unfold("TRA:B") == "TRA:B"
    assert await tree.unfold("") == ""
    assert await tree.unfold("nonsense") == "nonsense"


async def test_complete_is_a_move_as_it_stands_even_if_more_may_follow() -> None:
    tree = ChoiceTree(Server().choices)
    assert await tree.is_complete("TRA:B2@4")
    assert await tree.is_complete("xc3f")
    assert not await tree.is_complete("TRA:B2")
    assert not await tree.is_complete("xc3")
    assert not await tree.is_complete("")


async def test_each_prefix_is_asked_for_once_a_decision() -> None:
    server = Server()
    tree = ChoiceTree(server.choices)
    await tree.suggest("TRA:B")
    await tree.suggest("TRA:B2")
    await tree.suggest("TRA:B")
    assert server.asked == ["", "TRA:", "TRA:B2"]
    tree.forget()
    await tree.suggest("T")
    assert server.asked[3:] == [""]


async def completions(completer: MoveCompleter, typed: str) -> list[tuple[str, int, str]]:
    found = completer.get_completions_async(Document(typed), CompleteEvent())
    return [(each.text, each.start_position, each.display_text) async for each in found]


async def test_completions_replace_the_last_word_and_mark_what_is_no_move_yet() -> None:
    completer = MoveCompleter(ChoiceTree(Server().choices))
    assert await completions(completer, "TRA:") == [("TRA:B2", -4, "TRA:B2…"), ("TRA:B3", -4, "TRA:B3")]
    assert await completions(completer, "xc3f re") == [("ret:", -2, "ret:…")]


async def test_commands_are_offered_as_first_word_only() -> None:
    completer = MoveCompleter(ChoiceTree(Server().choices))
    assert [text for text, _, _ in await completions(completer, "re")] == ["ret:", "resign"]
    assert [text for text, _, _ in await completions(completer, "xc3f resi")] == []


async def test_completion_offers_nothing_while_the_server_is_away() -> None:
    async def away(prefix: str) -> list[Choice]:
        raise HamleError("away")

    assert await completions(MoveCompleter(ChoiceTree(away)), "T") == []
