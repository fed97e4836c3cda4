"""A full state that agrees with a view: hidden cards are dealt uniformly over where they can be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from google.protobuf.message import Message
from hamle.tashkalar.v1 import tashkalar_pb2 as pb

from engines.kit.game import Draw
from engines.tashkalar.board import NAMED
from engines.tashkalar.cards import BEING, DECKS, LEGENDS, TASK, TASKS
from engines.tashkalar.hand import FLARE
from engines.tashkalar.pieces import NOTHING, Board
from engines.tashkalar.row import shuffled
from engines.tashkalar.setup import counters
from engines.tashkalar.state import NOBODY, Bonus, Cards, Form, Player, Rules, State, Summoned, Turn


def imagine(shown: Message, draw: Draw) -> State:
    """A state that looks like `shown`; all deals of the hidden cards are equally likely. Raises ValueError."""
    if not isinstance(shown, pb.View):
        raise ValueError(f"a {shown.DESCRIPTOR.full_name} is no view of Tash-Kalar")
    form = Form(shown.form)
    seats = len(shown.players)
    rules = Rules(form, tuple(player.school for player in shown.players), counters(form, seats))
    decks, beings = _schools(shown, draw)
    legends, legend_hands = _shared(
        shown.legends,
        [_held(player, BEING, legendary=True) for player in shown.players],
        [player.legends for player in shown.players],
        sorted(set(DECKS[LEGENDS]) - set(_cards(shown.legend_discards))) if rules.has_legends else [],
        BEING,
        draw,
        "legends",
    )
    flares, flare_hands = _shared(
        shown.flares,
        [[FLARE[key] for key in player.hand if key in FLARE] for player in shown.players],
        [player.flares for player in shown.players],
        sorted(set(FLARE.values()) - {FLARE[key] for key in shown.flare_discards}),
        FLARE,
        draw,
        "flares",
    )
    colours = len(shown.sides)
    return State(
        rules=rules,
        board=_board(shown.pieces, colours),
        players=tuple(
            _player(player, decks[seat], beings[seat], legend_hands[seat], flare_hands[seat])
            for seat, player in enumerate(shown.players)
        ),
        turn=_turn(shown.turn, colours),
        lost=tuple(count for side in shown.sides for count in (side.lost, side.lost_legendary)),
        scores=tuple(tuple(side.scores) for side in shown.sides),
        fewer=tuple(side.fewer for side in shown.sides),
        legends=legends,
        legend_discards=_cards(shown.legend_discards),
        flares=flares,
        flare_discards=tuple(FLARE[key] for key in shown.flare_discards),
        tasks=tuple(TASK[key] for key in shown.tasks),
        next_task=TASK[shown.next_task] if shown.next_task else NOTHING,
        task_deck=_task_deck(shown, draw),
        claimed=tuple(tuple(TASK[key] for key in side.claimed) for side in shown.sides),
        gateway=NAMED[shown.gateway] if shown.gateway else NOTHING,
        last=shown.last if shown.HasField("last") else NOBODY,
        over=shown.over,
        left=sum(1 << seat for seat, player in enumerate(shown.players) if player.left),
        setter=shown.setter if shown.HasField("setter") else NOBODY,
        buried=shown.buried,
        improvised=tuple(sum(1 << colour for colour in side.improvised) for side in shown.sides),
        begun=shown.begun,
        cause=shown.cause,
    )


def _cards(keys: Iterable[str]) -> Cards:
    return tuple(BEING[key] for key in keys)


def _held(player: pb.Player, numbers: dict[str, int], *, legendary: bool) -> list[int]:
    """The beings, or legends, in the hand that the view shows."""
    legends = DECKS[LEGENDS]
    cards = [numbers[key] for key in player.hand if key in numbers]
    return [card for card in cards if (card in legends) == legendary]


def _piece(piece: pb.Piece) -> int:
    return 3 * piece.colour + piece.rank - 1


def _board(pieces: Iterable[pb.Piece], colours: int) -> Board:
    board = [0] * (3 * colours)
    for piece in pieces:
        board[_piece(piece)] |= 1 << NAMED[piece.square]
    return tuple(board)


def _turn(turn: pb.Turn, colours: int) -> Turn:
    destroyed = [0] * (3 * colours)
    for each in turn.destroyed:
        destroyed[3 * each.colour + each.rank - 1] = each.count
    lent = turn.lent_colour if turn.HasField("lent_colour") else NOTHING
    return Turn(
        seat=turn.seat,
        actions=turn.actions,
        destroyed=tuple(destroyed),
        summoned=tuple(Summoned(NAMED[each.square], each.rank - 1) for each in turn.summoned),
        discarded=turn.discarded,
        extra=(turn.extra_beings, turn.extra_legends, turn.extra_flares),
        bonus=Bonus(turn.lent_enemies, turn.lent_empties, lent),
        warped=_cards(turn.warped),
        double=turn.double,
        again=turn.again,
        emptied=turn.emptied,
        passed=turn.passed,
    )


def _player(player: pb.Player, deck: Cards, beings: Cards, legends: Cards, flares: Cards) -> Player:
    return Player(
        deck=deck,
        beings=beings,
        legends=legends,
        flares=flares,
        discards=_cards(player.discards),
        frozen=BEING[player.frozen] if player.frozen else NOTHING,
        pending=BEING[player.pending] if player.pending else NOTHING,
        stored=_piece(player.stored) if player.HasField("stored") else NOTHING,
        turns=player.turns,
        shown=_cards(player.shown),
        under=_cards(player.under),
        sunk_legends=_cards(player.sunk_legends),
        sunk_flares=tuple(FLARE[key] for key in player.sunk_flares),
    )


def _schools(shown: pb.View, draw: Draw) -> tuple[list[Cards], list[Cards]]:
    """Decks and hands of all seats."""
    decks, hands = [], []
    for seat, player in enumerate(shown.players):
        lying = {*_cards(player.discards), *_cards(key for key in (player.frozen, player.pending) if key)}
        deck, (hand,) = _shared(
            player.deck,
            [_held(player, BEING, legendary=False)],
            [player.beings],
            [card for card in DECKS[player.school] if card not in lying],
            BEING,
            draw,
            f"deck_{seat}",
        )
        decks.append(deck)
        hands.append(hand)
    return decks, hands


def _shared(
    deck: pb.Deck,
    held: Sequence[Sequence[int]],
    sizes: Sequence[int],
    cards: Sequence[int],
    numbers: dict[str, int],
    draw: Draw,
    purpose: str,
) -> tuple[Cards, list[Cards]]:
    """A deck and hands with these cards: known ones stay, the others are dealt. Raises ValueError."""
    places = {known.place: numbers[known.card] for known in deck.known}
    located = {*places.values(), *(card for hand in held for card in hand)}
    hidden = list(shuffled([card for card in cards if card not in located], draw, purpose))
    missing = deck.size - len(places) + sum(sizes) - sum(map(len, held))
    if len(hidden) != missing:
        raise ValueError(f"{len(hidden)} cards are hidden in {missing} places of {purpose}")
    hands = []
    for hand, size in zip(held, sizes, strict=True):
        wanted = size - len(hand)
        hands.append(tuple(sorted((*hand, *hidden[:wanted]))))
        hidden = hidden[wanted:]
    return tuple(places[at] if at in places else hidden.pop() for at in range(deck.size)), hands


def _task_deck(shown: pb.View, draw: Draw) -> Cards:
    if not shown.task_deck.size:
        return ()
    lying = {TASK[key] for key in (*shown.tasks, shown.next_task, *(key for s in shown.sides for key in s.claimed))}
    advanced = shown.form != pb.FORM_FIRST
    cards = [t.number for t in TASKS if t.number not in lying and (advanced or not t.advanced)]
    return _shared(shown.task_deck, (), (), cards, TASK, draw, "tasks")[0]
