"""PHH, a format of TOML files: its actions, amounts and pots as the events of all rooms."""
