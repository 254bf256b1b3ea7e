"""Answers the questions of a benchmark with DuckDB, on one thread.

The arguments are the files of the places and of the photos. Each line of the input is a JSON object: a "query", which
is prepared when it comes for the first time, and the "parameters" of each of its runs. The line of the output that
answers it has the rows of all runs, and the "seconds" that running them and fetching the rows took.
"""

import json
import sys
import time

import duckdb

TABLES = """
    CREATE TABLE place (
        id INTEGER PRIMARY KEY, name VARCHAR NOT NULL UNIQUE, country VARCHAR NOT NULL);
    CREATE TABLE photo (
        id INTEGER PRIMARY KEY, uniqueID VARCHAR NOT NULL UNIQUE, title VARCHAR NOT NULL,
        subtitle VARCHAR NOT NULL, url VARCHAR NOT NULL, views BIGINT NOT NULL,
        rating BIGINT NOT NULL, latitude DOUBLE NOT NULL, longitude DOUBLE NOT NULL,
        isFavorite BOOLEAN NOT NULL, dateUploaded DOUBLE NOT NULL, lastViewed DOUBLE,
        photographer VARCHAR NOT NULL, placeID INTEGER);
"""


def literal(value):
    """What stands for a parameter of a prepared statement, which takes no others."""
    return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else repr(value)


def main(places, photos):
    connection = duckdb.connect(":memory:")
    connection.execute("SET threads = 1")
    # It would be written where the answers are.
    connection.execute("SET enable_progress_bar = false")
    connection.execute(TABLES)
    for table, file in (("place", places), ("photo", photos)):
        connection.execute(f"COPY {table} FROM '{file}' (FORMAT csv, HEADER false)")
    connection.execute("ANALYZE")
    names = {}
    print(json.dumps({"rows": [], "seconds": 0}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        query, runs = request["query"], request["parameters"]
        if query not in names:
            names[query] = f"query{len(names)}"
            connection.execute(f"PREPARE {names[query]} AS {query}")
        calls = [f"EXECUTE {names[query]}({', '.join(map(literal, run))})" for run in runs]
        start = time.perf_counter()
        rows = [row for call in calls for row in connection.execute(call).fetchall()]
        seconds = time.perf_counter() - start
        print(json.dumps({"rows": rows, "seconds": seconds}), flush=True)


main(*sys.argv[1:])
