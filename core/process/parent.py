"""Ending with the process that started this one, also when that is killed."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from typing import Final

_PR_SET_PDEATHSIG: Final = 1


def die_with_parent(parent: int, signum: signal.Signals = signal.SIGTERM) -> bool:
    """Asks the kernel for a signal when the parent process ends; call it first thing in a child.

    `parent` is the parent's process id as the parent knows it: when it has gone already, the signal is raised here.
    False where the system has no such thing (it is Linux's). The kernel looks at the thread that started this process,
    so start children from a thread that lives as long as the parent.
    """
    if sys.platform != "linux":
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_PDEATHSIG, int(signum), 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_PDEATHSIG) failed")
    if os.getppid() != parent:
        signal.raise_signal(signum)
    return True
