"""COPY in and out."""

import io

import psycopg2
from client import cursor, session
from wire_checks import check, equal, fresh_id, holds, raised


@check("psycopg2 copies a query out as text")
def _():
    with cursor() as open_cursor:
        target = io.StringIO()
        open_cursor.copy_expert("copy (select id, note, flag from main.scratch where id in (3, 4, 5) order by id) to stdout", target)
        equal(target.getvalue(), "3\t\tt\n4\ttrailing  \tt\n5\tquote ' and \" and \\\\\tf\n")


@check("psycopg2 copies a query out as CSV with a header")
def _():
    with cursor() as open_cursor:
        target = io.StringIO()
        open_cursor.copy_expert(
            "copy (select id, note, amount, data from main.scratch where id <= 3 order by id) to stdout with (format csv, header)",
            target,
        )
        expected = 'id,note,amount,data\n1,first,1.10,"{""k"": 1}"\n2,,2.20,"{""k"": 2}"\n3,"",,\n'
        equal(target.getvalue(), expected)


@check("psycopg2 copies a table out")
def _():
    with cursor() as open_cursor:
        target = io.StringIO()
        open_cursor.copy_expert("copy main.tags (id, name) to stdout", target)
        equal(len(target.getvalue().splitlines()), open_cursor.rowcount)
        open_cursor.execute("select count(*) from main.tags")
        equal(open_cursor.fetchone(), (len(target.getvalue().splitlines()),))


@check("psycopg2 copies out as binary")
def _():
    with cursor() as open_cursor:
        target = io.BytesIO()
        open_cursor.copy_expert("copy (select id from main.tags where id = 1) to stdout (format binary)", target)
        header = b"PGCOPY\n\xff\r\n\0" + bytes(8)
        equal(target.getvalue(), header + b"\0\1\0\0\0\4\0\0\0\1\xff\xff")


@check("psycopg2 copies in text")
def _():
    first, second = fresh_id(), fresh_id()
    with cursor() as open_cursor:
        source = io.StringIO(f"{first}\ta\\tb\t\\N\n{second}\t\\\\\t2.5\n")
        open_cursor.copy_expert("copy main.scratch (id, name, amount) from stdin", source)
        equal(open_cursor.rowcount, 2)
        open_cursor.execute("select name, amount::text, flag from main.scratch where id in (%s, %s) order by id", (first, second))
        equal(open_cursor.fetchall(), [("a\tb", None, True), ("\\", "2.50", True)])


@check("psycopg2 copies in CSV")
def _():
    first, second = fresh_id(), fresh_id()
    with cursor() as open_cursor:
        source = io.StringIO(f'id,name,note\n{first},"a,""b""",\n{second},"two\nlines",""\n')
        open_cursor.copy_expert("copy main.scratch (id, name, note) from stdin with (format csv, header true)", source)
        open_cursor.execute("select name, note from main.scratch where id in (%s, %s) order by id", (first, second))
        equal(open_cursor.fetchall(), [('a,"b"', None), ("two\nlines", "")])


@check("psycopg2 copies with copy_from and copy_to")
def _():
    key = fresh_id()
    with session() as connection:
        open_cursor = connection.cursor()
        open_cursor.execute("set search_path to main")
        open_cursor.copy_from(io.StringIO(f"{key}|x|NULL\n"), "scratch", sep="|", null="NULL", columns=("id", "name", "note"))
        target = io.StringIO()
        open_cursor.copy_to(target, "tags", sep="|", columns=("id",))
        holds("1\n" in target.getvalue())
        open_cursor.execute("select note from scratch where id = %s", (key,))
        equal(open_cursor.fetchone(), (None,))
        connection.rollback()


@check("psycopg2 copies thousands of rows in")
def _():
    ids = [fresh_id() for _ in range(5000)]
    with cursor() as open_cursor:
        lines = "".join(f"{key}\tcopied\n" for key in ids)
        open_cursor.copy_expert("copy main.scratch (id, name) from stdin", io.StringIO(lines))
        equal(open_cursor.rowcount, 5000)
        open_cursor.execute("delete from main.scratch where name = 'copied'")
        equal(open_cursor.rowcount, 5000)


@check("psycopg2 writes nothing when a copied row is wrong")
def _():
    key = fresh_id()
    with cursor() as open_cursor:
        source = io.StringIO(f"{key}\tgood\nnumber\tbad\n")
        error = raised(psycopg2.Error, lambda: open_cursor.copy_expert("copy main.scratch (id, name) from stdin", source))
        equal(error.pgcode, "22P02")
        open_cursor.execute("select count(*) from main.scratch where id = %s", (key,))
        equal(open_cursor.fetchone(), (0,))


@check("psycopg2 names a copied row that lacks a column")
def _():
    with cursor() as open_cursor:
        error = raised(
            psycopg2.Error,
            lambda: open_cursor.copy_expert("copy main.scratch (id, name) from stdin", io.StringIO("1\n")),
        )
        equal(error.pgcode, "22P04")


@check("psycopg2 copies in within a transaction and rolls it back")
def _():
    key = fresh_id()
    with session() as connection:
        open_cursor = connection.cursor()
        open_cursor.copy_expert("copy main.scratch (id, name) from stdin", io.StringIO(f"{key}\tx\n"))
        connection.rollback()
        open_cursor.execute("select count(*) from main.scratch where id = %s", (key,))
        equal(open_cursor.fetchone(), (0,))


@check("psycopg2 fails a copy whose source fails")
def _():
    class Broken(io.StringIO):
        def read(self, size=-1):
            raise OSError("no more")

    with session(autocommit=True) as connection:
        open_cursor = connection.cursor()
        error = raised(Exception, lambda: open_cursor.copy_expert("copy main.scratch (id, name) from stdin", Broken()))
        holds("no more" in str(error), error)
        open_cursor.execute("select 1")
        equal(open_cursor.fetchone(), (1,))
