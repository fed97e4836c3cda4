"""The `hamle` program."""

from __future__ import annotations

import os
import signal
import sys
from typing import Final

_GRPC_LINES: Final = "GRPC_VERBOSITY"


def main() -> None:
    """Runs the command that is called for."""
    # Loading takes a while, and has nothing to clear up: Ctrl-C then just ends the program, without a traceback.
    heeds = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if heeds:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    # What gRPC writes by itself, in the middle of a board or a bar, the errors that it raises say too.
    quiet = _GRPC_LINES not in os.environ
    if quiet:
        os.environ[_GRPC_LINES] = "NONE"
    from cli.app import called_for, make_app

    app = make_app(called_for(sys.argv[1:]))
    if quiet:
        # It has been read; the servers that a command starts have logs of their own.
        del os.environ[_GRPC_LINES]
    if heeds:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    app()


if __name__ == "__main__":
    main()
