"""The `hamle` program."""

from __future__ import annotations

import signal
import sys


def main() -> None:
    """Runs the command that is called for."""
    # Loading takes a while, and has nothing to clear up: Ctrl-C then just ends the program, without a traceback.
    heeds = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if heeds:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from cli.app import called_for, make_app

    app = make_app(called_for(sys.argv[1:]))
    if heeds:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    app()


if __name__ == "__main__":
    main()
