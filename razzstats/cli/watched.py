"""A database that says what is being stored in it; it loads all of the storage."""

from collections.abc import Callable, Sequence

from razzstats.storage import Database, HandRows


class WatchedDatabase(Database):
    """A database that tells of each batch of hands, so that one long file shows progress too."""

    after_batch: Callable[[int, int], None] | None = None
    """Is told how many hands came in, and how many characters their texts have."""

    def insert_hands(self, hands: Sequence[HandRows]) -> None:
        """Insert the rows of hands that are not stored yet, and tell of them."""
        super().insert_hands(hands)
        if self.after_batch is not None:
            self.after_batch(len(hands), sum(len(rows.text) for rows in hands))
