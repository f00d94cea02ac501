"""Errors with their codes and places."""

import psycopg2
import psycopg2.errors
from client import cursor, rows, session
from wire_checks import check, equal, fresh_id, holds, raised


def error_of(sql, values=None):
    with cursor() as open_cursor:
        error = raised(psycopg2.Error, lambda: open_cursor.execute(sql, values))
        open_cursor.execute("select 1")
        equal(open_cursor.fetchone(), (1,))
        return error


@check("psycopg2 names a table that does not exist, and its place")
def _():
    error = error_of("select * from main.nowhere")
    holds(isinstance(error, psycopg2.errors.UndefinedTable), error)
    equal((error.pgcode, error.diag.severity, error.diag.statement_position), ("42P01", "ERROR", "15"))


@check("psycopg2 names a column that does not exist, and its place")
def _():
    error = error_of("select id, nothing from main.tags")
    holds(isinstance(error, psycopg2.errors.UndefinedColumn), error)
    equal((error.pgcode, error.diag.statement_position), ("42703", "12"))
    holds('column "nothing" does not exist' in error.diag.message_primary, error)


@check("psycopg2 counts places in characters")
def _():
    error = error_of("select 'ééé😀' as x, nothing from main.tags")
    equal(error.diag.statement_position, "21")


@check("psycopg2 shows a syntax error with a caret")
def _():
    error = error_of("selec 1")
    holds(isinstance(error, psycopg2.errors.SyntaxError), error)
    equal((error.pgcode, error.diag.statement_position), ("42601", "1"))
    holds('syntax error at or near "selec"' in str(error) and "LINE 1: selec 1" in str(error) and "^" in str(error), error)


@check("psycopg2 names a violated unique constraint")
def _():
    error = error_of("insert into main.tags (id, name) values (1, 'x')")
    holds(isinstance(error, psycopg2.errors.UniqueViolation), error)
    equal((error.diag.schema_name, error.diag.table_name), ("main", "tags"))


@check("psycopg2 names the constraint as the database does", "postgres")
def _():
    equal(error_of("insert into main.tags (id, name) values (1, 'x')").diag.constraint_name, "tags_pkey")


@check("psycopg2 names a violated foreign key")
def _():
    error = error_of("insert into main.folders (name, parent_id) values ('x', -1)")
    holds(isinstance(error, psycopg2.errors.ForeignKeyViolation), error)


@check("psycopg2 names a missing value and its column")
def _():
    error = error_of("insert into main.scratch (id, name) values (%s, null)", (fresh_id(),))
    holds(isinstance(error, psycopg2.errors.NotNullViolation), error)
    equal((error.diag.table_name, error.diag.column_name), ("scratch", "name"))


@check("psycopg2 names a violated check")
def _():
    error = error_of("insert into main.stock (code, quantity) values ('neg', -1)")
    holds(isinstance(error, psycopg2.errors.CheckViolation), error)


@check("psycopg2 hears of a division by zero")
def _():
    equal(error_of("select 1 / (id - id) from main.tags").pgcode, "22012")


@check("psycopg2 hears of a division by zero without a table")
def _():
    equal(error_of("select 1 / 0").pgcode, "22012")


@check("psycopg2 hears of texts that are no numbers")
def _():
    error = error_of("select 'abc'::int4")
    equal((error.pgcode, error.diag.statement_position), ("22P02", "8"))
    equal(error_of("select id from main.tags where id = 'abc'").pgcode, "22P02")


@check("psycopg2 hears of numbers out of range")
def _():
    equal(error_of("select 99999999999::int4").pgcode, "22003")
    equal(error_of("insert into main.scratch (id, name, small) values (%s, 'x', 40000)", (fresh_id(),)).pgcode, "22003")


@check("psycopg2 hears of texts that are too long")
def _():
    equal(error_of("insert into main.scratch (id, name, code) values (%s, 'x', '01234567890')", (fresh_id(),)).pgcode, "22001")


@check("psycopg2 hears of functions and operators that do not exist")
def _():
    equal(error_of("select nothing(id) from main.tags").pgcode, "42883")
    equal(error_of("select name + 1 from main.tags").pgcode, "42883")


@check("psycopg2 hears of ambiguous columns and missing groups")
def _():
    equal(error_of("select id from main.tags, main.orders").pgcode, "42702")
    equal(error_of("select name, count(*) from main.tags").pgcode, "42803")


@check("psycopg2 hears of a schema that does not exist")
def _():
    holds(error_of("select * from elsewhere.tags").pgcode in ("42P01", "3F000"))


@check("psycopg2 is refused what changes the structure", "engine")
def _():
    for sql in (
        "create table main.t (id int4)",
        "drop table main.tags",
        "alter table main.tags add x int4",
        "create index on main.tags (name)",
        "truncate main.tags",
        "do $$ begin end $$",
        "vacuum main.tags",
        "grant select on main.tags to public",
        "create temp table t (id int4)",
    ):
        holds(error_of(sql).pgcode in ("0A000", "42501"), sql)


@check("psycopg2 recovers from an error in a text of several statements")
def _():
    key = fresh_id()
    with session(autocommit=True) as connection:
        open_cursor = connection.cursor()
        text = f"insert into main.scratch (id, name) values ({key}, 'x'); select nothing from main.tags; select 1"
        raised(psycopg2.Error, lambda: open_cursor.execute(text))
        open_cursor.execute("select count(*) from main.scratch where id = %s", (key,))
        equal(open_cursor.fetchone(), (0,))


@check("psycopg2 finds tables by the search path")
def _():
    with cursor(options="-c search_path=main") as open_cursor:
        open_cursor.execute("select count(*) from tags")
        holds(open_cursor.fetchone()[0] > 0)
        open_cursor.execute("set search_path to pg_catalog")
        error = raised(psycopg2.Error, lambda: open_cursor.execute("select count(*) from tags"))
        equal(error.pgcode, "42P01")
        open_cursor.execute("set search_path to main, public")
        open_cursor.execute("select current_schema(), current_schemas(false)")
        equal(open_cursor.fetchone()[0], "main")
        open_cursor.execute("show search_path")
        equal(open_cursor.fetchone(), ("main, public",))


@check("psycopg2 names settings that do not exist or have a bad value")
def _():
    equal(error_of("show nothing_at_all").pgcode, "42704")
    equal(error_of("set nothing_at_all to 1").pgcode, "42704")
    equal(error_of("set timezone to 'Nowhere/Land'").pgcode, "22023")
    equal(error_of("set server_version to '1'").pgcode, "55P02")
    equal(rows("select current_setting('server_encoding')"), [("UTF8",)])
