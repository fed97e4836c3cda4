"""Bots, and what runs them."""
