"""Pairing: first come, first served, among all who ask for the same."""
