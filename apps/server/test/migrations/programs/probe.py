"""Sends probes by psycopg 3, each as a prepared statement from its first execution on.

Reads lines of a statement and its values, separated by tabs; `$1` is the first value. Writes a line for each: `rows` and the
rows, or `error`, the SQLSTATE and the message. Rows, cells and NULL are written with control characters.
"""

import os
import re
import sys

import psycopg

connection = psycopg.connect(
    host=os.environ["WIRE_HOST"],
    port=os.environ["WIRE_PORT"],
    user="anyone",
    password=os.environ["WIRE_PASSWORD"],
    dbname="engine",
    autocommit=True,
    prepare_threshold=0,
)


def text(cell):
    return "\0" if cell is None else bytes(cell).decode()


def answer(sql, values):
    """Cells are read as the server sends them."""
    placeholders = re.sub(r"\$\d+", "%s", sql.replace("%", "%%"))
    cursor = connection.execute(placeholders, values or None)
    result = cursor.pgresult
    rows = [
        "\x1f".join(text(result.get_value(row, column)) for column in range(result.nfields))
        for row in range(result.ntuples)
    ]
    return "rows\t" + "\x1e".join(["", *rows])


for line in sys.stdin:
    sql, *values = line.rstrip("\n").split("\t")
    try:
        print(answer(sql, values), flush=True)
    except psycopg.Error as error:
        message = str(error).replace("\n", " ").replace("\t", " ")
        print(f"error\t{error.sqlstate}\t{message}", flush=True)
