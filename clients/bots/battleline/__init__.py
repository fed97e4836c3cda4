"""Bots for Battle Line: `captain` weighs chances at all nine flags, `strengthener` only sees its own cards."""

from __future__ import annotations

from clients.bots.battleline.captain import captain
from clients.bots.battleline.strengthener import strengthener

__all__ = ["captain", "strengthener"]
