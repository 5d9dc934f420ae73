"""Lakes: the same tables as Parquet files that many machines write and any engine reads."""
