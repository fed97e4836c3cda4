"""The end of a turn: what its seat decides then, and what the turn has brought it (rules §5, §10)."""

from __future__ import annotations

from engines.tashkalar.cards import TASK, TASKS
from engines.tashkalar.pieces import COMMON, HEROIC, LEGENDARY
from engines.tashkalar.scene import Asking, Scene
from engines.tashkalar.state import Form, with_item
from engines.tashkalar.tasks import claimable

LEGENDARY_POINTS = 2
COMMONS_FOR_A_POINT = 2


def end(g: Scene) -> Asking[None]:
    """A task is claimed, or what was destroyed and which legends were summoned is scored."""
    rules = g.before.rules
    if rules.has_tasks:
        yield from _claim(g)
    elif rules.form is Form.MELEE:
        yield from _melee(g)
    else:
        (enemy,) = g.enemies
        _score(g, 0, enemy, _destroyed(g, enemy) + _legends(g))


def _claim(g: Scene) -> Asking[None]:
    """At most one of the current tasks whose conditions hold."""
    key = yield from g.may_choose([TASKS[number].key for number in claimable(g.before)])
    if key:
        task = TASKS[TASK[key]]
        g.scores[g.me] = (g.scores[g.me][0] + task.points,)
        g.tell("claimed", task.number)


def _melee(g: Scene) -> Asking[None]:
    """Points go by colour: those of legends wherever one likes, one for odd commons of two colours or more."""
    gained = {enemy: _destroyed(g, enemy) for enemy in g.enemies}
    for _ in range(_legends(g)):
        gained[(yield from g.colour(g.enemies))] += 1
    odd = [enemy for enemy in g.enemies if g.destroyed[3 * enemy + COMMON] % COMMONS_FOR_A_POINT]
    if len(odd) > 1:
        gained[(yield from g.colour(odd))] += 1
    for enemy, points in gained.items():
        _score(g, enemy, enemy, points)


def _destroyed(g: Scene, enemy: int) -> int:
    at = 3 * enemy
    commons = g.destroyed[at + COMMON] // COMMONS_FOR_A_POINT
    return commons + g.destroyed[at + HEROIC] + LEGENDARY_POINTS * g.destroyed[at + LEGENDARY]


def _legends(g: Scene) -> int:
    """A point for each legend summoned, none for upgrades (rules §10)."""
    return sum(summoned.rank == LEGENDARY for summoned in g.turn.summoned)


def _score(g: Scene, track: int, enemy: int, points: int) -> None:
    if points:
        scores = g.scores[g.me]
        g.scores[g.me] = with_item(scores, track, scores[track] + points)
        g.tell("scored", points, enemy)
