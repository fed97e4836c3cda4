"""Running a role as a process: its event loop, its signals, its background tasks."""
