"""Prints a digest for each step of a match.

`python -m engines.kit.conformance <module:GAME> <options as JSON> <seats> <seed>`
"""

from __future__ import annotations

import json
import sys

from engines.kit.conformance.processes import digests, load_game

if __name__ == "__main__":
    path, options, seats, seed = sys.argv[1:]
    print("\n".join(digests(load_game(path), json.loads(options), int(seats), int(seed))))
