"""Merge's hand histories: XML, in which players are seat numbers and cards follow the actions."""
