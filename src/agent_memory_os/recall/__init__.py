"""Memories back: searched, packed, browsed and explained."""
