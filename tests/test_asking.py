"""Questions that are asked once for several statistics."""

from collections.abc import Sequence
from typing import Any

import pytest

from razzstats.stats.asking import AskedOnce
from razzstats.storage import Database

SQL = "SELECT * FROM (SELECT unnest(?::INTEGER[]) AS number)"


class Counted(Database):
    """A database that counts what it is asked."""

    asked = 0

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        self.asked += 1
        return super().rows(sql, parameters)


@pytest.fixture
def counted() -> Counted:
    return Counted(Database.in_memory()._connection, "counted")


def test_the_same_question_is_asked_once(counted: Counted) -> None:
    database = AskedOnce(counted)
    assert database.rows(SQL, ([1, 2],)) == database.rows(SQL, ([1, 2],)) == [(1,), (2,)]
    assert counted.asked == 1
    assert database.rows(SQL, ([3],)) == [(3,)], "other parameters are another question"
    assert AskedOnce(database).rows(SQL, ([3],)) == [(3,)], "one may stand on another"
    assert counted.asked == 2


def test_an_answer_may_be_changed_by_whoever_asked(counted: Counted) -> None:
    database = AskedOnce(counted)
    database.rows(SQL, ([1, 2],)).clear()
    frame = database.frame(SQL, ([1, 2],))
    frame["number"] = 0
    frame.loc[0, "more"] = 1
    assert database.rows(SQL, ([1, 2],)) == [(1,), (2,)]
    assert database.frame(SQL, ([1, 2],))["number"].tolist() == [1, 2]
    assert list(database.frame(SQL, ([1, 2],))) == ["number"]
