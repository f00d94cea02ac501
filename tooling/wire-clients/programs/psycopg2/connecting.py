"""Startup, authentication, settings, cancelling."""

import select
import threading
from urllib.parse import quote

import psycopg2
import psycopg2.errors
import psycopg2.extensions
import psycopg2.extras
import psycopg2.pool
from client import connect, cursor, rows, session
from wire_checks import DATABASE, HOST, PASSWORD, PORT, USER, check, equal, holds, raised


@check("psycopg2 connects with a connection string of words")
def _():
    words = f"host={HOST} port={PORT} user={USER} password='{PASSWORD}' dbname={DATABASE} sslmode=prefer"
    connection = psycopg2.connect(words)
    equal(connection.status, psycopg2.extensions.STATUS_READY)
    connection.close()


@check("psycopg2 connects with a URL")
def _():
    connection = psycopg2.connect(f"postgresql://{USER}:{quote(PASSWORD)}@{HOST}:{PORT}/{DATABASE}")
    with connection.cursor() as open_cursor:
        open_cursor.execute("select 1")
        equal(open_cursor.fetchone(), (1,))
    connection.close()


@check("psycopg2 is refused with a wrong password")
def _():
    error = raised(psycopg2.OperationalError, lambda: connect(password="wrong"))
    holds("authentication failed" in str(error), error)


@check("psycopg2 is refused without a password")
def _():
    error = raised(psycopg2.OperationalError, lambda: connect(password="", passfile="/nonexistent"))
    holds("no password supplied" in str(error), error)


@check("psycopg2 learns the parameters of the server")
def _():
    with session() as connection:
        holds(connection.server_version >= 150000, connection.server_version)
        equal(connection.encoding, "UTF8")
        equal(connection.get_parameter_status("standard_conforming_strings"), "on")
        equal(connection.get_parameter_status("integer_datetimes"), "on")
        equal(connection.get_parameter_status("server_encoding"), "UTF8")
        equal(connection.get_parameter_status("DateStyle"), "ISO, MDY")
        holds(connection.get_parameter_status("TimeZone") in ("UTC", "Etc/UTC", "GMT"))
        equal(connection.protocol_version, 3)
        holds(connection.get_backend_pid() > 0)


@check("psycopg2 passes settings as options of the startup packet")
def _():
    with cursor(options="-c TimeZone=America/New_York -c statement_timeout=12345") as open_cursor:
        open_cursor.execute("show timezone")
        equal(open_cursor.fetchone(), ("America/New_York",))
        open_cursor.execute("show statement_timeout")
        equal(open_cursor.fetchone(), ("12345ms",))


@check("psycopg2 names its application")
def _():
    with session(application_name="wire-check") as connection:
        equal(connection.get_parameter_status("application_name"), "wire-check")
        with connection.cursor() as open_cursor:
            open_cursor.execute("show application_name")
            equal(open_cursor.fetchone(), ("wire-check",))


@check("psycopg2 hears of a setting that changed")
def _():
    with session(autocommit=True) as connection:
        connection.cursor().execute("set timezone to 'Asia/Tokyo'")
        equal(connection.get_parameter_status("TimeZone"), "Asia/Tokyo")
        connection.cursor().execute("reset timezone")
        holds(connection.get_parameter_status("TimeZone") != "Asia/Tokyo")


@check("psycopg2 changes the client encoding")
def _():
    with session() as connection:
        connection.set_client_encoding("UTF8")
        equal(connection.encoding, "UTF8")


@check("psycopg2 resets a connection")
def _():
    with session() as connection:
        open_cursor = connection.cursor()
        open_cursor.execute("set timezone to 'Asia/Tokyo'")
        connection.commit()
        connection.reset()
        equal(connection.status, psycopg2.extensions.STATUS_READY)
        open_cursor.execute("show timezone")
        holds(open_cursor.fetchone() != ("Asia/Tokyo",))


@check("psycopg2 uses a pool of connections")
def _():
    words = dict(host=HOST, port=PORT, user=USER, password=PASSWORD, dbname=DATABASE)
    pool = psycopg2.pool.ThreadedConnectionPool(1, 3, **words)
    connections = [pool.getconn() for _ in range(3)]
    for number, connection in enumerate(connections):
        with connection.cursor() as open_cursor:
            open_cursor.execute("select %s", (number,))
            equal(open_cursor.fetchone(), (number,))
        pool.putconn(connection)
    pool.closeall()


@check("psycopg2 cancels a statement over tables")
def _():
    with session(autocommit=True) as connection:
        threading.Timer(0.3, connection.cancel).start()
        slow = "select count(*) from main.numbers a, main.numbers b where a.n + b.n < 0"
        error = raised(psycopg2.errors.QueryCanceled, lambda: connection.cursor().execute(slow))
        equal(error.pgcode, "57014")
        with connection.cursor() as open_cursor:
            open_cursor.execute("select count(*) from main.tags")
            holds(open_cursor.fetchone()[0] > 0)


@check("psycopg2 cancels a question without tables")
def _():
    with session(autocommit=True) as connection:
        threading.Timer(0.3, connection.cancel).start()
        error = raised(
            psycopg2.errors.QueryCanceled,
            lambda: connection.cursor().execute("select count(*) from generate_series(1, 1000000) a, generate_series(1, 1000000) b"),
        )
        equal(error.pgcode, "57014")


@check("psycopg2 cancels nothing while nothing runs")
def _():
    with session(autocommit=True) as connection:
        connection.cancel()
        with connection.cursor() as open_cursor:
            open_cursor.execute("select 1")
            equal(open_cursor.fetchone(), (1,))


@check("psycopg2 is stopped by the statement timeout")
def _():
    with cursor(options="-c statement_timeout=300") as open_cursor:
        slow = "select count(*) from main.numbers a, main.numbers b where a.n + b.n < 0"
        error = raised(psycopg2.errors.QueryCanceled, lambda: open_cursor.execute(slow))
        equal(error.pgcode, "57014")
        open_cursor.execute("set statement_timeout to 0")
        open_cursor.execute("select 1")
        equal(open_cursor.fetchone(), (1,))


@check("psycopg2 hears notifications", "postgres")
def _():
    with session(autocommit=True) as connection:
        with connection.cursor() as open_cursor:
            open_cursor.execute("listen of_psycopg2")
            open_cursor.execute("notify of_psycopg2, 'hello'")
        while not connection.notifies:
            select.select([connection], [], [], 1)
            connection.poll()
        equal((connection.notifies[0].channel, connection.notifies[0].payload), ("of_psycopg2", "hello"))


@check("psycopg2 reads the version, the user and the database")
def _():
    [(version, user, database)] = rows("select version(), current_user, current_database()")
    holds(version.startswith("PostgreSQL "), version)
    equal(database, DATABASE)
    equal(user, USER)


@check("psycopg2 sees its own backend's number")
def _():
    with session(autocommit=True) as connection:
        with connection.cursor() as open_cursor:
            open_cursor.execute("select pg_backend_pid()")
            equal(open_cursor.fetchone(), (connection.get_backend_pid(),))


@check("psycopg2 connects and asks without blocking")
def _():
    connection = connect(async_=1)
    psycopg2.extras.wait_select(connection)
    open_cursor = connection.cursor()
    open_cursor.execute("select count(*) from main.orders where id > %s", (290,))
    psycopg2.extras.wait_select(connection)
    equal(open_cursor.fetchone(), (10,))
    connection.close()


@check("psycopg2 asks for a session that may write")
def _():
    equal(rows("select 1", target_session_attrs="read-write"), [(1,)])
