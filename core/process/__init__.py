"""Running a role as a process: its event loop, its signals, its background tasks."""

from core.process.keeper import TaskKeeper
from core.process.parent import die_with_parent
from core.process.run import Process, run

__all__ = ["Process", "TaskKeeper", "die_with_parent", "run"]
