"""Startup, settings, cancelling."""

import asyncio
import threading

import psycopg
from client import WORDS, connect, rows
from wire_checks import DATABASE, USER, check, equal, holds, raised

SLOW = "select count(*) from main.numbers a, main.numbers b where a.n + b.n < 0"


@check("psycopg 3 tells what it is connected to")
def _():
    with connect() as connection:
        info = connection.info
        equal((info.dbname, info.user, info.encoding), (DATABASE, USER, "utf-8"))
        holds(info.server_version >= 150000, info.server_version)
        equal(info.transaction_status, psycopg.pq.TransactionStatus.IDLE)
        holds(info.backend_pid > 0)


@check("psycopg 3 is refused with a wrong password")
def _():
    error = raised(psycopg.OperationalError, lambda: connect(password="wrong"))
    holds("authentication failed" in str(error), error)


@check("psycopg 3 connects from a coroutine")
async def _():
    async with await psycopg.AsyncConnection.connect(**WORDS) as connection:
        async with connection.cursor() as cursor:
            await cursor.execute("select count(*) from main.orders where id > %s", (0,))
            equal(await cursor.fetchone(), (300,))


@check("psycopg 3 runs many connections side by side")
async def _():
    async def one(number):
        async with await psycopg.AsyncConnection.connect(**WORDS) as connection:
            cursor = await connection.execute("select %s + max(id) from main.orders", (number,))
            return (await cursor.fetchone())[0]

    equal(await asyncio.gather(*[one(number) for number in range(12)]), [300 + number for number in range(12)])


@check("psycopg 3 cancels a statement")
def _():
    with connect() as connection:
        threading.Timer(0.3, connection.cancel).start()
        error = raised(psycopg.errors.QueryCanceled, lambda: connection.execute(SLOW))
        equal(error.sqlstate, "57014")
        equal(connection.execute("select 1").fetchone(), (1,))


@check("psycopg 3 cancels within a transaction, which fails")
def _():
    with connect(autocommit=False) as connection:
        connection.execute("select count(*) from main.tags")
        threading.Timer(0.3, connection.cancel).start()
        raised(psycopg.errors.QueryCanceled, lambda: connection.execute(SLOW))
        equal(connection.info.transaction_status, psycopg.pq.TransactionStatus.INERROR)
        connection.rollback()
        equal(connection.execute("select 1").fetchone(), (1,))


@check("psycopg 3 is stopped by the statement timeout")
def _():
    with connect() as connection:
        connection.execute("set statement_timeout = '300ms'")
        error = raised(psycopg.errors.QueryCanceled, lambda: connection.execute(SLOW))
        equal(error.sqlstate, "57014")
        holds("statement timeout" in str(error), error)


@check("psycopg 3 hears of warnings")
def _():
    heard = []
    with connect() as connection:
        connection.add_notice_handler(lambda notice: heard.append((notice.severity_nonlocalized, notice.sqlstate)))
        connection.execute("rollback")
    equal(heard, [("WARNING", "25P01")])


@check("psycopg 3 sets settings with a function")
def _():
    with connect() as connection:
        row = connection.execute("select set_config('timezone', %s, false)", ("Asia/Tokyo",)).fetchone()
        equal(row, ("Asia/Tokyo",))
        equal(connection.execute("show timezone").fetchone(), ("Asia/Tokyo",))
        equal(connection.execute("select current_setting('TimeZone')").fetchone(), ("Asia/Tokyo",))


@check("psycopg 3 discards all")
def _():
    with connect() as connection:
        connection.execute("prepare p as select 1")
        connection.execute("set timezone to 'Asia/Tokyo'")
        equal(connection.execute("discard all").statusmessage, "DISCARD ALL")
        holds(connection.execute("show timezone").fetchone() != ("Asia/Tokyo",))
        equal(raised(psycopg.Error, lambda: connection.execute("execute p")).sqlstate, "26000")


@check("psycopg 3 looks up types in the catalog")
def _():
    with connect() as connection:
        found = psycopg.types.TypeInfo.fetch(connection, "uuid")
        equal((found.oid, found.array_oid), (2950, 2951))
        equal(psycopg.types.TypeInfo.fetch(connection, "nothing_at_all"), None)


@check("psycopg 3 reads an enum of the database as one", "postgres")
def _():
    with connect() as connection:
        info = psycopg.types.enum.EnumInfo.fetch(connection, "main.mood")
        equal(info.labels, ["sad", "ok", "happy"])
        psycopg.types.enum.register_enum(info, connection)
        [row] = connection.execute("select current_mood from main.pg_only where id = 1").fetchall()
        equal(row[0].name, "happy")


@check("psycopg 3 reads a composite value of the database as one", "postgres")
def _():
    with connect() as connection:
        info = psycopg.types.composite.CompositeInfo.fetch(connection, "main.address")
        psycopg.types.composite.register_composite(info, connection)
        [row] = connection.execute("select home from main.pg_only where id = 1").fetchall()
        equal((row[0].street, row[0].zip), ("Main St", "0123"))


@check("psycopg 3 hears notifications", "postgres")
def _():
    with connect(autocommit=True) as connection, connect(autocommit=True) as other:
        connection.execute("listen of_psycopg3")
        other.execute("notify of_psycopg3, 'hello'")
        heard = next(connection.notifies())
        equal((heard.channel, heard.payload), ("of_psycopg3", "hello"))


@check("psycopg 3 reads its settings from the startup packet")
def _():
    equal(rows("show datestyle", options="-c datestyle=ISO,DMY"), [("ISO, DMY",)])
