"""Pipeline mode: many statements before one Sync."""

import psycopg
from client import connect, rows
from wire_checks import check, equal, fresh_id, holds, raised


@check("psycopg 3 sends many statements in a pipeline")
def _():
    with connect() as connection, connection.pipeline():
        cursors = [connection.execute("select %s + id from main.tags where id = 1", (number,)) for number in range(50)]
        equal([cursor.fetchone()[0] for cursor in cursors], list(range(1, 51)))


@check("psycopg 3 mixes data, catalog and settings in a pipeline")
def _():
    with connect() as connection, connection.pipeline():
        first = connection.execute("select count(*) from main.orders")
        second = connection.execute("select 1 + 1")
        third = connection.execute("show timezone")
        fourth = connection.execute("select count(*) > 0 from pg_catalog.pg_class")
        equal((first.fetchone(), second.fetchone(), fourth.fetchone()), ((300,), (2,), (True,)))
        holds(third.fetchone())


@check("psycopg 3 aborts the rest of a pipeline after an error")
def _():
    def fail(connection, cursors, pipeline):
        for sql in ("select 1", "select nothing from main.tags", "select 2"):
            cursors.append(connection.cursor())
            cursors[-1].execute(sql)
        pipeline.sync()

    cursors = []
    with connect() as connection:
        with connection.pipeline() as pipeline:
            equal(raised(psycopg.Error, lambda: fail(connection, cursors, pipeline)).sqlstate, "42703")
            equal(cursors[0].fetchone(), (1,))
            for cursor in cursors[1:]:
                raised(psycopg.Error, cursor.fetchone)
            pipeline.sync()
            equal(connection.execute("select 3").fetchone(), (3,))
        equal(connection.execute("select 4").fetchone(), (4,))


@check("psycopg 3 undoes a pipeline's writes up to its Sync")
def _():
    key = fresh_id()

    def fail(connection):
        with connection.pipeline():
            connection.execute("insert into main.scratch (id, name) values (%s, 'x')", (key,))
            connection.execute("insert into main.scratch (id, name) values (%s, 'x')", (key,))

    with connect() as connection:
        equal(raised(psycopg.Error, lambda: fail(connection)).sqlstate, "23505")
        equal(connection.execute("select count(*) from main.scratch where id = %s", (key,)).fetchone(), (0,))


@check("psycopg 3 keeps what was synchronised before an error")
def _():
    key = fresh_id()

    def fail(connection):
        with connection.pipeline() as pipeline:
            connection.execute("insert into main.scratch (id, name) values (%s, 'x')", (key,))
            pipeline.sync()
            connection.execute("select nothing")

    with connect() as connection:
        raised(psycopg.Error, lambda: fail(connection))
    equal(rows("select count(*) from main.scratch where id = %s", (key,)), [(1,)])


@check("psycopg 3 runs a transaction in a pipeline")
def _():
    key = fresh_id()
    with connect() as connection, connection.pipeline():
        with connection.transaction():
            connection.execute("insert into main.scratch (id, name) values (%s, 'x')", (key,))
            cursor = connection.execute("select name from main.scratch where id = %s", (key,))
        equal(cursor.fetchone(), ("x",))


@check("psycopg 3 runs many inserts in a pipeline")
def _():
    with connect() as connection, connection.cursor() as cursor:
        with connection.pipeline():
            for _ in range(20):
                cursor.executemany("insert into main.scratch (id, name) values (%s, 'piped')", [(fresh_id(),) for _ in range(20)])
        equal(connection.execute("delete from main.scratch where name = 'piped'").rowcount, 400)


@check("psycopg 3 prepares within a pipeline")
def _():
    with connect(prepare_threshold=2) as connection, connection.pipeline():
        cursors = [connection.execute("select name from main.tags where id = %s", (number,)) for number in range(1, 9)]
        holds(all(cursor.fetchone() for cursor in cursors))


@check("psycopg 3 sends requests for a flush")
def _():
    with connect() as connection:
        pgconn = connection.pgconn
        pgconn.enter_pipeline_mode()
        pgconn.send_query_params(b"select count(*) from main.orders", None)
        pgconn.send_flush_request()
        pgconn.flush()
        result = pgconn.get_result()
        equal((result.status, result.get_value(0, 0)), (psycopg.pq.ExecStatus.TUPLES_OK, b"300"))
        equal(pgconn.get_result(), None)
        pgconn.pipeline_sync()
        equal(pgconn.get_result().status, psycopg.pq.ExecStatus.PIPELINE_SYNC)
        pgconn.exit_pipeline_mode()
