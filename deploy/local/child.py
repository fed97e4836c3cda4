"""`python -m deploy.local.child PARENT WHAT ARGS...`: a child that ends when its launcher does, also by kill -9.

WHAT is `module`, to run a Python module of Hamle in this process, or `program`, to become another program.
"""

from __future__ import annotations

import os
import runpy
import signal
import sys

from core.process.parent import die_with_parent


def main(arguments: list[str]) -> None:
    """Binds this process to its parent's life, then becomes what was asked for."""
    parent, what, *command = arguments
    # The store saves what it has when it is asked to end; a role drains.
    die_with_parent(int(parent), signal.SIGTERM)
    if what == "program":
        os.execv(command[0], command)
    sys.argv = command
    runpy.run_module(command[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main(sys.argv[1:])
