"""COPY as a stream."""

import datetime
import decimal

import psycopg
from client import connect
from wire_checks import check, equal, fresh_id, holds, raised


@check("psycopg 3 copies rows out")
def _():
    with connect() as connection, connection.cursor() as cursor:
        with cursor.copy("copy (select id, name from main.folders where id <= 2 order by id) to stdout") as copy:
            equal(list(copy.rows()), [("1", "root"), ("2", "docs")])
        equal(cursor.rowcount, 2)


@check("psycopg 3 copies typed rows out in binary")
def _():
    with connect() as connection, connection.cursor() as cursor:
        query = "select id, name, amount, flag, day, at, big, ratio from main.scratch where id = 1"
        with cursor.copy(f"copy ({query}) to stdout (format binary)") as copy:
            copy.set_types(["int4", "text", "numeric", "bool", "date", "timestamp", "int8", "float8"])
            [row] = list(copy.rows())
    equal(row, (1, "one", decimal.Decimal("1.10"), True, datetime.date(2024, 1, 31), datetime.datetime(2024, 1, 31, 10), 1, 0.5))


@check("psycopg 3 copies 100 000 rows out")
def _():
    with connect() as connection, connection.cursor() as cursor:
        size = 0
        with cursor.copy("copy main.numbers to stdout") as copy:
            for data in copy:
                size += bytes(data).count(b"\n")
        equal(size, 100_000)


@check("psycopg 3 copies rows in")
def _():
    keys = [fresh_id() for _ in range(3)]
    with connect() as connection, connection.cursor() as cursor:
        with cursor.copy("copy main.scratch (id, name, note, amount, data, bytes) from stdin") as copy:
            for key in keys:
                copy.write_row((key, "tab\tline\n\\", None, decimal.Decimal("1.5"), '{"a": "\\\\"}', b"\0\xff"))
        equal(cursor.rowcount, 3)
        cursor.execute("select name, note, amount, data, bytes from main.scratch where id = any(%s)", (keys,))
        equal(cursor.fetchall(), [("tab\tline\n\\", None, decimal.Decimal("1.50"), {"a": "\\"}, b"\0\xff")] * 3)


@check("psycopg 3 copies rows in as binary")
def _():
    key = fresh_id()
    row = (key, "é", decimal.Decimal("-12.34"), False, -5, 2**40, 0.1, datetime.date(2024, 2, 29), datetime.datetime(2024, 2, 29, 1, 2, 3, 4), None)
    with connect() as connection, connection.cursor() as cursor:
        columns = "id, name, amount, flag, small, big, ratio, day, at, note"
        with cursor.copy(f"copy main.scratch ({columns}) from stdin (format binary)") as copy:
            copy.set_types(["int4", "text", "numeric", "bool", "int2", "int8", "float8", "date", "timestamp", "text"])
            copy.write_row(row)
        cursor.execute(f"select {columns} from main.scratch where id = %s", (key,))
        equal(cursor.fetchone(), row)


@check("psycopg 3 copies from one connection into another")
def _():
    with connect() as source, connect() as target:
        query = "copy (select n + 50000000, label from main.numbers where n <= 2000) to stdout (format binary)"
        with source.cursor().copy(query) as out:
            cursor = target.cursor()
            with cursor.copy("copy main.scratch (id, name) from stdin (format binary)") as into:
                for data in out:
                    into.write(data)
        equal(cursor.rowcount, 2000)
        equal(target.execute("delete from main.scratch where id > 50000000").rowcount, 2000)


@check("psycopg 3 stops a copy with an error of its own")
def _():
    key = fresh_id()

    def fail(cursor):
        with cursor.copy("copy main.scratch (id, name) from stdin") as copy:
            copy.write_row((key, "x"))
            raise KeyError

    with connect() as connection:
        equal(raised(psycopg.Error, lambda: fail(connection.cursor())).sqlstate, "57014")
        equal(connection.execute("select count(*) from main.scratch where id = %s", (key,)).fetchone(), (0,))


@check("psycopg 3 hears of a copied row that violates a constraint")
def _():
    def fail(cursor):
        with cursor.copy("copy main.tags (id, name) from stdin") as copy:
            copy.write_row((1, "again"))

    with connect() as connection:
        error = raised(psycopg.Error, lambda: fail(connection.cursor()))
        equal(error.sqlstate, "23505")
        equal(connection.execute("select 1").fetchone(), (1,))


@check("psycopg 3 copies with options of every kind")
def _():
    key = fresh_id()
    with connect() as connection, connection.cursor() as cursor:
        options = "format csv, delimiter ';', null 'nil', quote '''', escape '\\', header match, force_not_null (note)"
        with cursor.copy(f"copy main.scratch (id, name, note) from stdin with ({options})") as copy:
            copy.write(f"id;name;note\n{key};'it\\'s;x';nil\n")
        equal(cursor.execute("select name, note from main.scratch where id = %s", (key,)).fetchone(), ("it's;x", "nil"))
        with cursor.copy(f"copy (select name, null from main.scratch where id = {key}) to stdout csv force quote *") as copy:
            equal(b"".join(bytes(data) for data in copy), b'"it\'s;x",\n')


@check("psycopg 3 hears of a copied header that does not match")
def _():
    def fail(cursor):
        with cursor.copy("copy main.scratch (id, name) from stdin with (format csv, header match)") as copy:
            copy.write("id,other\n1,x\n")

    with connect() as connection:
        equal(raised(psycopg.Error, lambda: fail(connection.cursor())).sqlstate, "22P04")


@check("psycopg 3 is refused files and programs of the server", "engine")
def _():
    with connect() as connection:
        for sql in ("copy main.tags to '/tmp/x'", "copy main.tags from '/etc/passwd'", "copy main.tags to program 'cat'"):
            holds(raised(psycopg.Error, lambda: connection.execute(sql)).sqlstate in ("0A000", "42501"), sql)
