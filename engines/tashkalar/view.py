"""The position as an audience may see it, and moves as others may read them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from hamle.tashkalar.v1 import tashkalar_pb2 as pb

from engines.kit.game import EVERYBODY, Audience
from engines.tashkalar.board import NAMES, bits
from engines.tashkalar.cards import BEING, BEINGS, FLARES, LEGENDS, TASKS
from engines.tashkalar.hand import FLARE
from engines.tashkalar.notation import SEPARATOR, Kind, named
from engines.tashkalar.pieces import HEROIC, LEGENDARY, NOTHING, Board
from engines.tashkalar.points import total
from engines.tashkalar.scene import Scene
from engines.tashkalar.state import NOBODY, Cards, Player, State
from engines.tashkalar.tree import tree_of


def view(state: State, audience: Audience) -> pb.View:
    """What the audience may see: the board, open cards, the own hand, what it knows of others' cards."""
    rules = state.rules
    seated = state.players[audience] if audience >= 0 else Player(())
    shown = pb.View(
        form=pb.Form.ValueType(rules.form),
        pieces=pieces_of(state.board),
        players=[_player(state, seat, audience) for seat in range(rules.seats)],
        turn=_turn(state),
        legends=_deck(state.legends, _sunk_legends(state, audience), audience, beings),
        legend_discards=beings(state.legend_discards),
        flares=_deck(state.flares, seated.sunk_flares, audience, flares),
        flare_discards=flares(state.flare_discards),
        tasks=tasks(state.tasks),
        task_deck=_deck(state.task_deck, state.task_deck[: state.buried], audience, tasks),
        cause=state.cause,
        over=state.over,
        begun=state.begun,
        buried=state.buried,
    )
    standing = state
    if state.begun:
        base = tree_of(state).base
        assert base is not None
        standing = base.scene.after()
        shown.standing.extend(pieces_of(standing.board))
        shown.standing_turn.CopyFrom(_turn(standing))
        if standing.gateway != NOTHING:
            shown.standing_gateway = NAMES[standing.gateway]
    shown.sides.extend(_sides(state, standing))
    if state.next_task != NOTHING:
        shown.next_task = TASKS[state.next_task].key
    if state.gateway != NOTHING:
        shown.gateway = NAMES[state.gateway]
    for name, seat in (("actor", state.actor()), ("last", state.last), ("setter", state.setter)):
        if seat != NOBODY:
            setattr(shown, name, seat)
    return shown


def beings(cards: Iterable[int]) -> list[str]:
    """Keys of beings and legends."""
    return [BEINGS[card].key for card in cards]


def flares(cards: Iterable[int]) -> list[str]:
    """Keys of flares."""
    return [FLARES[card].key for card in cards]


def tasks(cards: Iterable[int]) -> list[str]:
    """Keys of tasks."""
    return [TASKS[card].key for card in cards]


def pieces_of(board: Board) -> list[pb.Piece]:
    """The pieces by square."""
    standing = [(square, piece) for piece, mask in enumerate(board) for square in bits(mask)]
    return [_piece(piece, NAMES[square]) for square, piece in sorted(standing)]


def _piece(piece: int, square: str = "") -> pb.Piece:
    return pb.Piece(square=square, colour=piece // 3, rank=_rank(piece % 3))


def _rank(rank: int) -> pb.Rank.ValueType:
    return pb.Rank.ValueType(rank + 1)


def _deck(
    cards: Cards, known: Sequence[int], audience: Audience, keys: Callable[[Iterable[int]], list[str]]
) -> pb.Deck:
    open_to = cards if audience == EVERYBODY else known
    places = [(place, card) for place, card in enumerate(cards) if card in open_to]
    names = keys(card for _, card in places)
    return pb.Deck(
        size=len(cards), known=[pb.Known(place=at, card=name) for (at, _), name in zip(places, names, strict=True)]
    )


def _sunk_legends(state: State, audience: Audience) -> list[int]:
    """The legends of which the audience knows that they lie under the deck: partners share theirs (rules §13)."""
    return [
        card
        for seat, player in enumerate(state.players)
        if seat == audience or _is_partner(state, seat, audience)
        for card in player.sunk_legends
    ]


def _player(state: State, seat: int, audience: Audience) -> pb.Player:
    player, rules = state.players[seat], state.rules
    whole = audience in (seat, EVERYBODY)
    partner = _is_partner(state, seat, audience)
    known = (*player.shown, *player.under) if whole else player.shown
    shown = pb.Player(
        colour=rules.colour(seat),
        school=rules.decks[seat],
        deck=_deck(player.deck, known, audience, beings),
        beings=len(player.beings),
        legends=len(player.legends),
        flares=len(player.flares),
        hand=_hand(player, whole, partner, named(state.begun) if seat == state.turn.seat else frozenset()),
        discards=beings(player.discards),
        turns=player.turns,
        left=bool(state.left >> seat & 1),
        shown=beings(player.shown),
        under=beings(player.under) if whole else (),
        sunk_legends=beings(player.sunk_legends) if whole or partner else (),
        sunk_flares=flares(player.sunk_flares) if whole else (),
    )
    if player.frozen != NOTHING:
        shown.frozen = BEINGS[player.frozen].key
    if player.pending != NOTHING:
        shown.pending = BEINGS[player.pending].key
    if player.stored != NOTHING:
        shown.stored.CopyFrom(_piece(player.stored))
    return shown


def _hand(player: Player, whole: bool, partner: bool, open_cards: frozenset[str]) -> list[str]:
    """Partners share their legends and so see them (rules §13); what a move on its way names is open to all."""
    keys = [*beings(player.beings), *beings(player.legends), *flares(player.flares)]
    if whole:
        return keys
    known = {*beings(player.shown), *open_cards, *beings(player.legends if partner else ())}
    return [key for key in keys if key in known]


def _sides(state: State, standing: State) -> list[pb.Side]:
    """What the sides have; `standing` is the state within a move under way, else the same."""
    look = Scene(standing, 0)
    return [
        pb.Side(
            scores=state.scores[colour],
            total=total(standing, colour),
            claimed=tasks(state.claimed[colour]),
            fewer=state.fewer[colour],
            lost=state.lost[2 * colour],
            lost_legendary=state.lost[2 * colour + 1],
            improvised=list(bits(state.improvised[colour])),
            stock=look.stock(colour, HEROIC),
            stock_legendary=look.stock(colour, LEGENDARY),
        )
        for colour in range(state.rules.colours)
    ]


def _turn(state: State) -> pb.Turn:
    turn = state.turn
    extra_beings, extra_legends, extra_flares = turn.extra
    return pb.Turn(
        seat=turn.seat,
        actions=turn.actions,
        destroyed=[
            pb.Destroyed(colour=piece // 3, rank=_rank(piece % 3), count=count)
            for piece, count in enumerate(turn.destroyed)
            if count
        ],
        summoned=[pb.Summoned(square=NAMES[each.square], rank=_rank(each.rank)) for each in turn.summoned],
        discarded=turn.discarded,
        extra_beings=extra_beings,
        extra_legends=extra_legends,
        extra_flares=extra_flares,
        lent_enemies=turn.bonus.enemies,
        lent_empties=turn.bonus.empties,
        lent_colour=None if turn.bonus.colour == NOTHING else turn.bonus.colour,
        warped=beings(turn.warped),
        double=turn.double,
        again=turn.again,
        emptied=turn.emptied,
        passed=turn.passed,
    )


def redact(state: State, seat: int, text: str, audience: Audience) -> str:
    """The seat's move as the audience may read it: of cards that go back face down, only the backs.

    Partners know each other's legends.
    """
    if audience in (seat, EVERYBODY):
        return text
    head, *answers = text.split(SEPARATOR)
    if not head.startswith(f"{Kind.DISCARD}:"):
        return text
    partner = _is_partner(state, seat, audience)
    return SEPARATOR.join([head, *(_back(answer, partner) for answer in answers)])


def _back(answer: str, partner: bool) -> str:
    if answer in FLARE:
        return "flare"
    if answer not in BEING:
        return answer
    if BEINGS[BEING[answer]].deck == LEGENDS:
        return answer if partner else "legend"
    return "being"


def _is_partner(state: State, seat: int, audience: Audience) -> bool:
    return state.rules.is_team and audience >= 0 and audience % 2 == seat % 2
