"""Candidate providers: they return ids and scores, and nothing that they say is trusted."""
