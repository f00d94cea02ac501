"""Transactions, savepoints, isolation, read only."""

import psycopg2
import psycopg2.errors
import psycopg2.extensions
from client import cursor, rows, session
from wire_checks import check, equal, fresh_id, holds, raised

TX = psycopg2.extensions


def count(key):
    return rows("select count(*) from main.scratch where id = %s", (key,))[0][0]


def insert(connection, key):
    connection.cursor().execute("insert into main.scratch (id, name) values (%s, 'tx')", (key,))


@check("psycopg2 commits")
def _():
    key = fresh_id()
    with session() as connection:
        insert(connection, key)
        equal(connection.info.transaction_status, TX.TRANSACTION_STATUS_INTRANS)
        equal(count(key), 0)
        connection.commit()
        equal(connection.info.transaction_status, TX.TRANSACTION_STATUS_IDLE)
    equal(count(key), 1)


@check("psycopg2 rolls back")
def _():
    key = fresh_id()
    with session() as connection:
        insert(connection, key)
        connection.rollback()
    equal(count(key), 0)


@check("psycopg2 rolls back when it is closed")
def _():
    key = fresh_id()
    with session() as connection:
        insert(connection, key)
    equal(count(key), 0)


@check("psycopg2 sees its own writes before they are committed")
def _():
    key = fresh_id()
    with session() as connection:
        insert(connection, key)
        with connection.cursor() as open_cursor:
            open_cursor.execute("select name from main.scratch where id = %s", (key,))
            equal(open_cursor.fetchall(), [("tx",)])
        connection.rollback()


@check("psycopg2 commits at the end of a with block and rolls back on an error")
def _():
    first, second = fresh_id(), fresh_id()

    def fail(connection):
        with connection:
            insert(connection, second)
            raise KeyError

    with session() as connection:
        with connection:
            insert(connection, first)
        raised(KeyError, lambda: fail(connection))
    equal((count(first), count(second)), (1, 0))


@check("psycopg2 must roll back after an error")
def _():
    with session() as connection:
        open_cursor = connection.cursor()
        raised(psycopg2.Error, lambda: open_cursor.execute("select * from main.nowhere"))
        equal(connection.info.transaction_status, TX.TRANSACTION_STATUS_INERROR)
        error = raised(psycopg2.errors.InFailedSqlTransaction, lambda: open_cursor.execute("select 1"))
        equal(error.pgcode, "25P02")
        connection.rollback()
        open_cursor.execute("select 1")
        equal(open_cursor.fetchone(), (1,))


@check("psycopg2 is told ROLLBACK when it commits a failed transaction")
def _():
    with cursor() as open_cursor:
        open_cursor.execute("begin")
        equal(open_cursor.statusmessage, "BEGIN")
        raised(psycopg2.Error, lambda: open_cursor.execute("select 1 / (id - id) from main.tags"))
        open_cursor.execute("commit")
        equal(open_cursor.statusmessage, "ROLLBACK")


@check("psycopg2 goes back to savepoints")
def _():
    kept, lost, last = fresh_id(), fresh_id(), fresh_id()
    with session() as connection:
        open_cursor = connection.cursor()
        insert(connection, kept)
        open_cursor.execute("savepoint one")
        equal(open_cursor.statusmessage, "SAVEPOINT")
        insert(connection, lost)
        raised(psycopg2.errors.UniqueViolation, lambda: insert(connection, kept))
        open_cursor.execute("rollback to savepoint one")
        equal(open_cursor.statusmessage, "ROLLBACK")
        insert(connection, last)
        open_cursor.execute("release savepoint one")
        equal(open_cursor.statusmessage, "RELEASE")
        connection.commit()
    equal((count(kept), count(lost), count(last)), (1, 0, 1))


@check("psycopg2 nests savepoints of the same name")
def _():
    keys = [fresh_id() for _ in range(3)]
    with session() as connection:
        open_cursor = connection.cursor()
        insert(connection, keys[0])
        open_cursor.execute("savepoint s")
        insert(connection, keys[1])
        open_cursor.execute("savepoint s")
        insert(connection, keys[2])
        open_cursor.execute("rollback to s")
        open_cursor.execute("release s")
        open_cursor.execute("rollback to s")
        connection.commit()
    equal([count(key) for key in keys], [1, 0, 0])


@check("psycopg2 names a savepoint that is not there")
def _():
    with session() as connection:
        open_cursor = connection.cursor()
        open_cursor.execute("select count(*) from main.tags")
        error = raised(psycopg2.Error, lambda: open_cursor.execute("rollback to savepoint nowhere"))
        equal(error.pgcode, "3B001")


@check("psycopg2 may not write in a read only transaction")
def _():
    with session() as connection:
        connection.set_session(readonly=True)
        error = raised(psycopg2.errors.ReadOnlySqlTransaction, lambda: insert(connection, fresh_id()))
        equal(error.pgcode, "25006")
        connection.rollback()
        connection.set_session(readonly=False)
        insert(connection, fresh_id())
        connection.rollback()


@check("psycopg2 chooses the isolation")
def _():
    with session() as connection:
        connection.set_session(isolation_level="REPEATABLE READ")
        open_cursor = connection.cursor()
        open_cursor.execute("show transaction_isolation")
        equal(open_cursor.fetchone(), ("repeatable read",))
        connection.rollback()
        connection.set_session(isolation_level="DEFAULT")
        open_cursor.execute("show transaction isolation level")
        equal(open_cursor.fetchone(), ("read committed",))


@check("psycopg2 reads the same again under repeatable read", "postgres")
def _():
    key = fresh_id()
    with session() as connection, session(autocommit=True) as other:
        connection.set_session(isolation_level="REPEATABLE READ")
        open_cursor = connection.cursor()
        open_cursor.execute("select count(*) from main.scratch where id = %s", (key,))
        equal(open_cursor.fetchone(), (0,))
        insert(other, key)
        open_cursor.execute("select count(*) from main.scratch where id = %s", (key,))
        equal(open_cursor.fetchone(), (0,))
        connection.commit()
        open_cursor.execute("select count(*) from main.scratch where id = %s", (key,))
        equal(open_cursor.fetchone(), (1,))


@check("psycopg2 fails to serialize what cannot be", "postgres")
def _():
    with session() as first, session() as second:
        for connection in (first, second):
            connection.set_session(isolation_level="SERIALIZABLE")
            connection.cursor().execute("select sum(n) from main.counters")
        first.cursor().execute("update main.counters set n = n + 1 where key = 'hits'")
        first.commit()
        error = raised(
            psycopg2.errors.SerializationFailure,
            lambda: second.cursor().execute("update main.counters set n = n + 1 where key = 'hits'"),
        )
        equal(error.pgcode, "40001")
        second.rollback()


@check("psycopg2 is warned of a transaction within one")
def _():
    with session(autocommit=True) as connection:
        open_cursor = connection.cursor()
        open_cursor.execute("begin")
        open_cursor.execute("begin")
        holds(any("already a transaction in progress" in notice for notice in connection.notices), connection.notices)
        open_cursor.execute("rollback")
        open_cursor.execute("rollback")
        holds(any("no transaction in progress" in notice for notice in connection.notices), connection.notices)


@check("psycopg2 sets a setting for one transaction only")
def _():
    with session() as connection:
        open_cursor = connection.cursor()
        open_cursor.execute("set local timezone to 'Asia/Tokyo'")
        open_cursor.execute("show timezone")
        equal(open_cursor.fetchone(), ("Asia/Tokyo",))
        connection.commit()
        open_cursor.execute("show timezone")
        holds(open_cursor.fetchone() != ("Asia/Tokyo",))


@check("psycopg2 undoes a setting with the transaction")
def _():
    with session() as connection:
        open_cursor = connection.cursor()
        open_cursor.execute("set timezone to 'Asia/Tokyo'")
        connection.rollback()
        holds(connection.get_parameter_status("TimeZone") != "Asia/Tokyo")
        open_cursor.execute("show timezone")
        holds(open_cursor.fetchone() != ("Asia/Tokyo",))


@check("psycopg2 is refused a two-phase commit", "engine")
def _():
    with session() as connection:
        error = raised(psycopg2.Error, lambda: (connection.tpc_begin("x"), insert(connection, fresh_id()), connection.tpc_prepare()))
        equal(error.pgcode, "0A000")
