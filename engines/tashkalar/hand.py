"""Cards that leave the hand while a move is being made, and points that are given at once (rules §6, §8)."""

from __future__ import annotations

from typing import Final

from engines.tashkalar.cards import BEING, BEINGS, FLARES, LEGENDS
from engines.tashkalar.ground import Ground
from engines.tashkalar.pieces import NOTHING
from engines.tashkalar.state import Form, with_item, without

FLARE: Final = {flare.key: flare.number for flare in FLARES}
"""Number of each flare by its key."""


class Hand(Ground):
    """The arena, and the hand of the seat. Cards of a hand are named by their keys."""

    __slots__ = ()

    def hand(self) -> list[str]:
        """Keys of the cards in the seat's hand that can be chosen from, a pending being left out.

        A partner who goes on with the move does not see them (rules §13).
        """
        if self.blind:
            return []
        player = self.player
        beings = [BEINGS[card].key for card in (*player.beings, *player.legends)]
        return beings + [FLARES[card].key for card in player.flares]

    def to_discards(self, card: int) -> None:
        """A being or legend, which has left its place, goes on top of its discard pile."""
        if BEINGS[card].deck == LEGENDS:
            self.legend_discards = (*self.legend_discards, card)
        else:
            self.player = self.player._replace(discards=(*self.player.discards, card))

    def discard(self, key: str) -> None:
        """A card of the seat's hand is discarded."""
        card = self._leave_hand(key)
        if key in FLARE:
            self.flare_discards = (*self.flare_discards, card)
            self.tell("discarded_flare", card)
        else:
            self.to_discards(card)
            self.tell("discarded", card)

    def discard_pending(self) -> None:
        """The pending being is discarded."""
        card = self.player.pending
        self.player = self.player._replace(pending=NOTHING)
        self.to_discards(card)
        self.tell("discarded", card)

    def take_back(self) -> None:
        """The pending being goes back to the hand."""
        player = self.player
        self.player = player._replace(beings=tuple(sorted((*player.beings, player.pending))), pending=NOTHING)
        self.tell("took_back", player.pending)

    def store(self, square: int) -> None:
        """The piece there is taken off the board and put on the pending being."""
        piece = self.take(square)
        self.player = self.player._replace(stored=piece)
        self.tell("stored", square, piece)

    def release(self, square: int) -> None:
        """The stored piece goes onto the square and destroys what stands there; with NOTHING back to its stock."""
        piece = self.player.stored
        self.player = self.player._replace(stored=NOTHING)
        if square != NOTHING:
            if self.piece_at(square) != NOTHING:
                self.destroy(square)
            self.put(square, piece)
            self.tell("released", square, piece)

    def put_on_top(self, card: int) -> None:
        """A card of the seat's discard pile goes on top of its deck."""
        player = self.player
        self.player = player._replace(discards=without(player.discards, card), deck=(*player.deck, card))
        self.tell("topped", card)

    def keep_under(self) -> None:
        """The card whose effect it is goes under its deck instead of being discarded."""
        self.keeps_card = True
        self.player = self.player._replace(deck=(self.card, *self.player.deck))
        self.tell("kept", self.card)

    def put_under(self, key: str) -> None:
        """A card of the seat's hand goes face down under its deck."""
        card = self._leave_hand(key)
        if key in FLARE:
            self.flares = (card, *self.flares)
            self.tell("returned_flare", card)
        elif BEINGS[card].deck == LEGENDS:
            self.legends = (card, *self.legends)
            self.tell("returned_legend", card)
        else:
            self.player = self.player._replace(deck=(card, *self.player.deck))
            self.tell("returned", card)

    def _leave_hand(self, key: str) -> int:
        player = self.player
        if key in FLARE:
            self.player = player._replace(flares=without(player.flares, FLARE[key]))
            return FLARE[key]
        card = BEING[key]
        if BEINGS[card].deck == LEGENDS:
            self.player = player._replace(legends=without(player.legends, card))
        else:
            self.player = player._replace(beings=without(player.beings, card))
        return card

    def give_point(self, colour: int) -> None:
        """The colour's side gets a point where points come from fights: in a melee, against the seat's colour."""
        rules = self.before.rules
        if rules.has_tasks:
            return
        at = self.me if rules.form is Form.MELEE else 0
        scores = self.scores[colour]
        self.scores[colour] = with_item(scores, at, scores[at] + 1)
        self.tell("conceded", colour)
