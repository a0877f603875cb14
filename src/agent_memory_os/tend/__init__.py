"""Ageing: what use does to memories."""
