"""Constants that bots may import."""

START_MONEY = 10000
"""Chips of every player when a match begins."""
