"""`razzstats equity` end to end."""

import csv
import io
import json

import pytest
from cli import razzstats


def test_json_is_as_the_contract_has_it() -> None:
    run = razzstats("equity", "Ac2d3h", "7s8cKd", "--format", "json")
    assert run.code == 0
    found = json.loads(run.out)
    assert found["deals"] == 18_265_297_050
    assert found["exact"] is True
    assert 0 < found["seconds"] < 60
    first, second = found["players"]
    assert [first["cards"], second["cards"]] == ["Ac2d3h", "7s8cKd"]
    assert first["equity"] == pytest.approx(0.7697537057, abs=1e-10)
    assert first["win"] == pytest.approx(14_058_109_951 / 18_265_297_050)
    assert first["tie"] == second["tie"] == pytest.approx(3_340_278 / 18_265_297_050)
    assert first["equity"] + second["equity"] == pytest.approx(1)
    assert (first["win_deals"], first["tie_deals"]) == (14_058_109_951, 3_340_278)


def test_dead_cards_and_streets() -> None:
    run = razzstats(
        "equity", "Ac2d3h9sKd", "4s5c6d8hTs", "--dead", "5h, 5d", "--streets", "--format", "json"
    )
    found = json.loads(run.out)
    assert [each["street"] for each in found["streets"]] == [3, 4, 5]
    last = found["streets"][-1]
    assert last["players"] == found["players"]
    dead = json.loads(
        razzstats("equity", "Ac2d3h", "4s5c6d", "--dead", "5h5d", "--format", "json").out
    )
    assert found["streets"][0]["players"] == dead["players"]
    alive = json.loads(razzstats("equity", "Ac2d3h", "4s5c6d", "--format", "json").out)
    assert alive["players"] != dead["players"]


def test_the_table_is_readable_and_says_that_it_is_exact() -> None:
    run = razzstats("equity", "A23K", "[8-][8-]75", "--streets")
    assert run.code == 0
    rows = [line.split() for line in run.out.splitlines() if "%" in line]
    assert rows == [
        ["A23K", "36.10", "%", "36.06", "%", "0.09", "%", "56.71", "%", "36.10", "%"],
        ["[8-][8-]75", "63.90", "%", "63.85", "%", "0.09", "%", "43.29", "%", "63.90", "%"],
    ]
    assert run.sentence.startswith("exact: every one of ")


def test_what_is_sampled_says_so() -> None:
    run = razzstats("equity", "A23", "456", "--samples", "2000", "--seed", "5", "--format", "json")
    found = json.loads(run.out)
    assert (found["exact"], found["deals"], found["seed"]) == (False, 2_000, 5)
    assert 0 < found["players"][0]["standard_error"] < 0.02
    assert "2,000 deals with seed 5; standard error up to 1.1" in run.sentence
    again = razzstats("equity", "A23", "456", "--samples", "2000", "--seed", "5", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(again.out)))
    assert float(rows[0]["equity"]) == found["players"][0]["equity"]


def test_another_variant_has_another_order() -> None:
    hands = ("Ah2h3h4h6hKhKd", "Ad2c3s4d8cQhQs")
    razz = json.loads(razzstats("equity", *hands, "--format", "json").out)
    other = json.loads(
        razzstats("equity", *hands, "--variant", "ace-to-six", "--format", "json").out
    )
    assert [player["equity"] for player in razz["players"]] == [1, 0]
    assert [player["equity"] for player in other["players"]] == [0, 1]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["Ac2d"], "equity is of two to 8 hands, not 1"),
        (["Ac2d", "Ac3d"], "Ac is there twice"),
        (["Ac2d", "\x1b[31mred"], "is no card"),
        (["Ac2d", "3c4c", "--dead", "3c"], "3c is there twice"),
        (["Ac2d", "3c4c", "--variant", "omaha"], "no variant"),
        (["A23", "456", "--variant", "ace-to-six"], "suits matter in this game"),
        (["Ac2d", "3c4c", "--samples", "0"], "greater than or equal to 1"),
        (["[A]", "23", "--dead", "AAAA"], "no deal fits the ranges"),
    ],
)
def test_wrong_hands_end_in_a_sentence(arguments: list[str], words: str) -> None:
    run = razzstats("equity", *arguments)
    assert run.code == 2
    assert words in run.sentence
    assert not run.out
    assert run.is_plain
