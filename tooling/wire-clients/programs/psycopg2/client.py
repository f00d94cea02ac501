"""Connections of this client."""

import contextlib

import psycopg2
from wire_checks import DATABASE, HOST, PASSWORD, PORT, USER


def connect(**options):
    words = dict(host=HOST, port=PORT, user=USER, password=PASSWORD, dbname=DATABASE)
    return psycopg2.connect(**{**words, **options})


@contextlib.contextmanager
def session(autocommit=False, **options):
    """A connection that is closed in any case."""
    connection = connect(**options)
    try:
        connection.autocommit = autocommit
        yield connection
    finally:
        connection.close()


@contextlib.contextmanager
def cursor(autocommit=True, **options):
    with session(autocommit, **options) as connection:
        yield connection.cursor()


def rows(sql, values=None, **options):
    with cursor(**options) as open_cursor:
        open_cursor.execute(sql, values)
        return open_cursor.fetchall()
