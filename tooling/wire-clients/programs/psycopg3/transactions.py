"""Transactions as blocks, isolation, recovery."""

import psycopg
from client import connect, rows
from wire_checks import check, equal, fresh_id, holds, raised

STATUS = psycopg.pq.TransactionStatus


def insert(connection, key):
    connection.execute("insert into main.scratch (id, name) values (%s, 'tx')", (key,))


def count(*keys):
    return rows("select count(*) from main.scratch where id = any(%s)", (list(keys),))[0][0]


@check("psycopg 3 commits a connection's block")
def _():
    key = fresh_id()
    with connect(autocommit=False) as connection:
        insert(connection, key)
        equal(connection.info.transaction_status, STATUS.INTRANS)
    equal(count(key), 1)


@check("psycopg 3 rolls back a connection's block on an error")
def _():
    key = fresh_id()

    def fail():
        with connect(autocommit=False) as connection:
            insert(connection, key)
            raise KeyError

    raised(KeyError, fail)
    equal(count(key), 0)


@check("psycopg 3 nests transaction blocks")
def _():
    kept, lost = fresh_id(), fresh_id()

    def fail(connection):
        with connection.transaction():
            insert(connection, lost)
            connection.execute("select 1 / (id - id) from main.tags")

    with connect() as connection:
        with connection.transaction():
            insert(connection, kept)
            raised(psycopg.errors.DivisionByZero, lambda: fail(connection))
            equal(connection.info.transaction_status, STATUS.INTRANS)
        equal(connection.info.transaction_status, STATUS.IDLE)
    equal((count(kept), count(lost)), (1, 0))


@check("psycopg 3 forces a rollback")
def _():
    key = fresh_id()
    with connect() as connection:
        with connection.transaction(force_rollback=True):
            insert(connection, key)
    equal(count(key), 0)


@check("psycopg 3 begins with the isolation it was told")
def _():
    with connect(autocommit=False) as connection:
        for level, name in ((psycopg.IsolationLevel.SERIALIZABLE, "serializable"), (psycopg.IsolationLevel.REPEATABLE_READ, "repeatable read")):
            connection.isolation_level = level
            equal(connection.execute("show transaction_isolation").fetchone(), (name,))
            connection.execute("select count(*) from main.tags")
            connection.rollback()


@check("psycopg 3 begins read only")
def _():
    with connect(autocommit=False) as connection:
        connection.read_only = True
        equal(connection.execute("show transaction_read_only").fetchone(), ("on",))
        error = raised(psycopg.errors.ReadOnlySqlTransaction, lambda: insert(connection, fresh_id()))
        equal(error.sqlstate, "25006")
        connection.rollback()


@check("psycopg 3 begins deferrable")
def _():
    with connect(autocommit=False) as connection:
        connection.isolation_level = psycopg.IsolationLevel.SERIALIZABLE
        connection.read_only = True
        connection.deferrable = True
        equal(connection.execute("select count(*) > 0 from main.tags").fetchone(), (True,))


@check("psycopg 3 mixes catalog and data in a transaction")
def _():
    key = fresh_id()
    with connect(autocommit=False) as connection:
        insert(connection, key)
        holds(connection.execute("select count(*) from pg_catalog.pg_class where relname = 'scratch'").fetchone()[0] >= 1)
        equal(connection.execute("select 1 + 1").fetchone(), (2,))
        equal(connection.execute("select name from main.scratch where id = %s", (key,)).fetchone(), ("tx",))
        connection.rollback()
    equal(count(key), 0)


@check("psycopg 3 fails everything after an error in a transaction")
def _():
    with connect(autocommit=False) as connection:
        raised(psycopg.Error, lambda: connection.execute("select nothing"))
        for sql in ("select 1", "show timezone", "select count(*) from main.tags", "savepoint s"):
            error = raised(psycopg.errors.InFailedSqlTransaction, lambda: connection.execute(sql))
            equal(error.sqlstate, "25P02")


@check("psycopg 3 chains transactions")
def _():
    first, second = fresh_id(), fresh_id()
    with connect() as connection:
        connection.execute("begin")
        insert(connection, first)
        connection.execute("commit and chain")
        equal(connection.info.transaction_status, STATUS.INTRANS)
        insert(connection, second)
        connection.execute("rollback and chain")
        equal(connection.info.transaction_status, STATUS.INTRANS)
        connection.execute("end")
    equal((count(first), count(second)), (1, 0))


@check("psycopg 3 locks rows until the end of a transaction", "postgres")
def _():
    with connect(autocommit=False) as first, connect(autocommit=False) as second:
        first.execute("select n from main.counters where key = 'misses' for update")
        error = raised(psycopg.Error, lambda: second.execute("select n from main.counters where key = 'misses' for update nowait"))
        equal(error.sqlstate, "55P03")
        second.rollback()
        equal(second.execute("select n from main.counters where key = 'misses' for update skip locked").fetchall(), [])
