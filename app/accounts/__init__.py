"""Guests: readers known by a random cookie."""
