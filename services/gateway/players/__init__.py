"""Who is behind a match's handles, kept outside the log so that a player can be forgotten."""
