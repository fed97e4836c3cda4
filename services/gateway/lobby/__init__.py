"""LobbyService: where matches begin."""
