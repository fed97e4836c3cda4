"""Names for guests who gave none: two words and a number, made from random bytes."""

from __future__ import annotations

from typing import Final

_HOW = (
    "Amber Brisk Calm Clever Coral Daring Eager Early Fair Gentle Golden Hardy Hazel Honest Indigo Ivory Jolly Keen "
    "Lively Lucky Mellow Merry Misty Noble Olive Patient Proud Quick Quiet Rapid Rosy Royal Ruby Rustic Sage Sandy "
    "Scarlet Sharp Shy Silent Silver Sly Snowy Steady Stout Sunny Swift Teal Tidy Tiny Tough Velvet Vivid Warm Wild "
    "Willing Windy Wise Witty Young Zesty Azure Bold Bright"
)
_WHO = (
    "Badger Bear Beaver Bison Camel Cat Cobra Condor Crab Crane Crow Deer Dolphin Dove Duck Eagle Elk Falcon Ferret "
    "Finch Fox Frog Gecko Goat Goose Hare Hawk Hedgehog Heron Horse Ibex Jackal Jay Kestrel Koala Lark Lemur "
    "Leopard Lion Lizard Llama Lynx Magpie Marten Mole Moose Moth Newt Otter Owl Panda Panther Parrot Pelican "
    "Penguin Puffin Raven Robin Seal Stork Swan Tiger Turtle Wolf"
)
_HOWS: Final = _HOW.split()
_WHOS: Final = _WHO.split()


def made_up(random: bytes) -> str:
    """A name from 4 random bytes: `Quiet Otter 427`."""
    how, who = _HOWS[random[0] % len(_HOWS)], _WHOS[random[1] % len(_WHOS)]
    return f"{how} {who} {int.from_bytes(random[2:4], 'big') % 1000}"
