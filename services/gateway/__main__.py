"""`python -m services.gateway`: a gateway process."""

from __future__ import annotations

from services.gateway.main import main

if __name__ == "__main__":
    main()
