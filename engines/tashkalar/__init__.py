"""The game Tash-Kalar."""
