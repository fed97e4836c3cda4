"""Engines that tests announce."""

from __future__ import annotations

from hamle.engine.v1.engine_pb2 import Announcement

from core.fleet import announcements
from core.fleet.announcements import Announcer
from core.store.client import Client


async def announce_for_good(store: Client, told: Announcement) -> None:
    """As a replica does that renews what it says, until the store is emptied."""
    announcer = Announcer(store, told)
    await announcer.write()
    assert await store.persist(announcements._key(announcer._name))
