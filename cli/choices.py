"""Completing moves part by part."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence

from hamle.match.v1.match_pb2 import Choice
from hamle_client import HamleError
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

COMMANDS = ("help", "choices", "undo", "resign", "quit")


class ChoiceTree:
    """The legal moves of one decision, asked for as far as they are looked at and kept until `forget`."""

    def __init__(self, ask: Callable[[str], Awaitable[Sequence[Choice]]]) -> None:
        self._ask = ask
        self._known: dict[str, Sequence[Choice]] = {}

    def forget(self) -> None:
        """The decision is another one."""
        self._known.clear()

    async def at(self, prefix: str) -> Sequence[Choice]:
        """The ways to go on from a prefix that is empty or a choice's text."""
        if prefix not in self._known:
            self._known[prefix] = await self._ask(prefix)
        return self._known[prefix]

    async def suggest(self, typed: str) -> Sequence[Choice]:
        """The choices that what is typed so far may become: those that begin so, or go on from there."""
        prefix = ""
        while True:
            found = await self.at(prefix)
            inner = [c.text for c in found if typed.startswith(c.text) and len(c.text) > len(prefix)]
            longer = [c for c in found if c.text.startswith(typed) and c.text != typed]
            if longer or not inner:
                return longer
            prefix = max(inner, key=len)

    async def unfold(self, typed: str) -> str:
        """What is typed, and after it what must follow: as far as there is one way to go on, and no move yet."""
        found = await self.suggest(typed)
        while len(found) == 1 and not found[0].complete:
            typed = found[0].text
            found = await self.suggest(typed)
        return typed

    async def is_complete(self, typed: str) -> bool:
        """Whether what is typed is a legal move as it stands."""
        prefix = ""
        while True:
            found = await self.at(prefix)
            if any(c.text == typed and c.complete for c in found):
                return True
            inner = [c.text for c in found if typed.startswith(c.text) and len(c.text) > len(prefix)]
            if not inner:
                return False
            prefix = max(inner, key=len)


class MoveCompleter(Completer):
    """Offers the legal ways to go on with the last word typed, and the commands."""

    def __init__(self, tree: ChoiceTree) -> None:
        self._tree = tree

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> list[Completion]:
        """Nothing: only the asynchronous way is used."""
        return []

    async def get_completions_async(
        self, document: Document, complete_event: CompleteEvent
    ) -> AsyncGenerator[Completion, None]:
        """The completions of the last word."""
        typed = document.get_word_before_cursor(WORD=True)
        try:
            choices = await self._tree.suggest(typed)
        except HamleError:
            return  # the server is away or the turn is over; the prompt itself tells
        for choice in choices:
            yield Completion(choice.text, -len(typed), display=choice.text if choice.complete else f"{choice.text}…")
        if typed and typed == document.text:
            for command in COMMANDS:
                if command.startswith(typed):
                    yield Completion(command, -len(typed), display_meta="command")
