"""Big bets won in 100 hands by one's own door card, 1 (ace) to 13, from a lake with Dask."""

import sys

import dask.dataframe as dd

import razzstats


def main(lake: str) -> None:
    files = razzstats.lake_files(lake, "hand_players")
    wanted = ["is_hero", "game", "door_rank", "net", "big_bet"]
    players = dd.read_parquet(files, columns=wanted)  # a part of the work for each file
    mine = players[players["is_hero"] & (players["game"] == "razz")]
    mine = mine.assign(big_bets=mine["net"] / mine["big_bet"])
    doors = mine.groupby("door_rank")["big_bets"].agg(["size", "mean"]).compute()
    for door, hands, mean in doors.sort_index().itertuples():
        print(door, hands, round(100 * mean, 1))


if __name__ == "__main__":
    main(sys.argv[1])
