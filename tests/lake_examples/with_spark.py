"""Big bets won in 100 hands by one's own door card, 1 (ace) to 13, from a lake with Spark."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as f

import razzstats


def main(lake: str) -> None:
    files = razzstats.lake_files(lake, "hand_players")
    # Months are text: without this, Spark makes dates of them.
    inferred = "spark.sql.sources.partitionColumnTypeInference.enabled"
    spark = SparkSession.builder.config(inferred, "false").getOrCreate()
    # With the place of the folders, it reads the columns site and month from their names.
    players = spark.read.option("basePath", f"{lake}/tables/hand_players").parquet(*files)
    mine = players.where("is_hero AND game = 'razz' AND door_rank IS NOT NULL")
    mean = f.avg(f.col("net") / f.col("big_bet"))
    doors = mine.groupBy("door_rank").agg(f.count("*"), mean).orderBy("door_rank")
    for door, hands, mean in doors.collect():
        print(door, hands, round(100 * mean, 1))


if __name__ == "__main__":
    main(sys.argv[1])
