"""Memories in: added, changed, shared and taken out of recall."""
