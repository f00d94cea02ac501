"""Connections of this client."""

import psycopg
from wire_checks import DATABASE, HOST, PASSWORD, PORT, USER

WORDS = dict(host=HOST, port=PORT, user=USER, password=PASSWORD, dbname=DATABASE)


def connect(autocommit=True, **options):
    """Closed at the end of a `with` block."""
    return psycopg.connect(autocommit=autocommit, **{**WORDS, **options})


def rows(sql, values=None, binary=False, **options):
    with connect(**options) as connection:
        return connection.execute(sql, values, binary=binary).fetchall()
