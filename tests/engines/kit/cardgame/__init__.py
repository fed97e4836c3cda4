"""The Cellar: a small but whole game with hidden information, with which the kit is tested.

20 cards (suits B G R Y, ranks 1 to 5), 2 to 4 seats, 3 cards each; the rest is the pile, from which cards are drawn at
random. First all seats, at the same time, stake a card face down. Then each has a turn of two actions a round:

- `lay:R3@1`: a card of the hand face down into one of three slots of the own cellar; two at once: `lay:R3@1+G4@2`;
- `draw`: a card from the pile into the hand, of at most 5;
- `peek:1@2`: look at a card in another's cellar, and know it from then on;
- `call:1:R`: ask a seat with cards in its cellar for a suit. It answers `show:@2` (the card goes to the open discards,
  2 points) or `pass` (1 point for who asked), within `reaction_ms` where that is set, else it passes.

`end` ends the turn. Out of turn and once in a match a seat may `swap:R3`: throw a card away openly and draw a new one.
After the last round a seat's points are those won, the ranks in its cellar and twice its stake's. Who leaves lays all
its cards open; the others play on, the last one wins. Laying can be undone until anything else happens.
"""

from __future__ import annotations

from tests.engines.kit.cardgame.game import GAME

__all__ = ["GAME"]
