"""`python -m services.timekeeper`: a timekeeper process."""

from __future__ import annotations

from services.timekeeper.main import main

if __name__ == "__main__":
    main()
