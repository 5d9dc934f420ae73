"""What can go wrong with a command: one sentence for people, and its exit code."""


class RazzstatsError(Exception):
    """A wrong command or a place that cannot be used; the message names the next step."""

    exit_code = 2


class DatabaseError(RazzstatsError):
    """The database is locked, damaged or from a newer version."""

    exit_code = 3


class DamagedDatabase(DatabaseError):
    """What the database holds cannot be read."""


class NoDatabase(DatabaseError):
    """There is no database yet, which is a wrong command and no damage."""

    exit_code = 2
