"""Values both ways, as text."""

import datetime
import decimal
import uuid

import psycopg2
import psycopg2.extras
from client import cursor, rows
from wire_checks import check, equal, fresh_id, holds, raised

UTC = datetime.timezone.utc


def echo(expression, value=None):
    [(result,)] = rows(f"select {expression}", None if value is None else (value,))
    return result


def stored(column, value):
    """What comes back of a value that was written into a table."""
    key = fresh_id()
    with cursor() as open_cursor:
        open_cursor.execute(f"insert into main.scratch (id, name, {column}) values (%s, 'v', %s)", (key, value))
        open_cursor.execute(f"select {column} from main.scratch where id = %s", (key,))
        [(result,)] = open_cursor.fetchall()
        open_cursor.execute(f"select count(*) from main.scratch where id = {key} and {column} = %s", (value,))
        equal(open_cursor.fetchone(), (1,))
        open_cursor.execute("delete from main.scratch where id = %s", (key,))
        return result


@check("psycopg2 stores integers of every width")
def _():
    equal(stored("small", -32768), -32768)
    equal(stored("n", 2147483647), 2147483647)
    equal(stored("big", -9223372036854775808), -9223372036854775808)


@check("psycopg2 stores numbers with a scale")
def _():
    equal(str(stored("amount", decimal.Decimal("1.5"))), "1.50")
    equal(stored("amount", decimal.Decimal("-99999999.99")), decimal.Decimal("-99999999.99"))


@check("psycopg2 stores floats to the last digit")
def _():
    for value in (0.1, 1e-300, 1.7976931348623157e308, -0.5, 123456789.123456789):
        equal(stored("ratio", value), value)


@check("psycopg2 stores texts of every script")
def _():
    for text in ("", "it's", 'a "b" \\ c', "é ü 😀", "tab\tline\n", "%s $1 :x"):
        equal(stored("note", text), text)


@check("psycopg2 stores booleans")
def _():
    equal(stored("flag", False), False)
    equal(stored("flag", True), True)


@check("psycopg2 stores bytes")
def _():
    equal(bytes(stored("bytes", bytes(range(256)))), bytes(range(256)))
    equal(bytes(stored("bytes", b"")), b"")


@check("psycopg2 stores dates and times")
def _():
    equal(stored("day", datetime.date(2024, 2, 29)), datetime.date(2024, 2, 29))
    moment = datetime.datetime(2024, 2, 29, 23, 59, 59, 123456)
    equal(stored("at", moment), moment)
    there = moment.replace(tzinfo=datetime.timezone(datetime.timedelta(hours=5, minutes=30)))
    equal(stored("seen_at", there), there)


@check("psycopg2 stores JSON")
def _():
    key = fresh_id()
    value = {"b": [1, 2.5, None, True], "a": {"é": "x"}}
    with cursor() as open_cursor:
        open_cursor.execute(
            "insert into main.scratch (id, name, data) values (%s, 'j', %s) returning data",
            (key, psycopg2.extras.Json(value)),
        )
        equal(open_cursor.fetchone(), (value,))


@check("psycopg2 stores NULL in every column")
def _():
    key = fresh_id()
    columns = "note, amount, small, big, ratio, code, day, at, seen_at, data, bytes"
    marks = ", ".join(["%s"] * 11)
    with cursor() as open_cursor:
        open_cursor.execute(
            f"insert into main.scratch (id, name, {columns}) values ({key}, 'nulls', {marks}) returning {columns}",
            (None,) * 11,
        )
        equal(open_cursor.fetchone(), (None,) * 11)


@check("psycopg2 reads moments in the session's time zone")
def _():
    with cursor() as open_cursor:
        open_cursor.execute("set timezone to 'America/New_York'")
        open_cursor.execute("select c_timestamptz from main.type_samples where label = 'beyond 2^53'")
        [moment] = open_cursor.fetchone()
        equal(moment.utcoffset(), datetime.timedelta(hours=-5))
        equal(moment.astimezone(UTC), datetime.datetime(2024, 2, 29, 10, 30, tzinfo=UTC))


@check("psycopg2 gets the days of the session's time zone", "postgres")
def _():
    with cursor() as open_cursor:
        open_cursor.execute("set timezone to 'America/New_York'")
        open_cursor.execute("select c_timestamptz::date, c_timestamptz::text from main.type_samples where label = 'zero'")
        equal(open_cursor.fetchone(), (datetime.date(1999, 12, 31), "1999-12-31 19:00:00-05"))
        open_cursor.execute("select date_trunc('day', c_timestamptz) at time zone 'UTC' from main.type_samples where label = 'zero'")
        equal(open_cursor.fetchone(), (datetime.datetime(1999, 12, 31, 5, 0),))


@check("psycopg2 is refused what would be computed in UTC instead of the session's time zone", "sqlite")
def _():
    with cursor() as open_cursor:
        open_cursor.execute("set timezone to 'America/New_York'")
        error = raised(psycopg2.Error, lambda: open_cursor.execute("select c_timestamptz::date from main.type_samples"))
        equal(error.pgcode, "0A000")
        holds("SET TIME ZONE 'UTC'" in error.diag.message_hint, error)
        open_cursor.execute("set timezone to 'UTC'")
        open_cursor.execute("select c_timestamptz::date from main.type_samples where label = 'zero'")
        equal(open_cursor.fetchone(), (datetime.date(2000, 1, 1),))


@check("psycopg2 writes a moment without a zone as one of the session's")
def _():
    key = fresh_id()
    with cursor() as open_cursor:
        open_cursor.execute("set timezone to 'Asia/Kolkata'")
        open_cursor.execute(f"insert into main.scratch (id, name, seen_at) values ({key}, 'z', '2024-06-01 12:00')")
        open_cursor.execute("set timezone to 'UTC'")
        open_cursor.execute(f"select seen_at::text from main.scratch where id = {key}")
        equal(open_cursor.fetchone(), ("2024-06-01 06:30:00+00",))


@check("psycopg2 reads every sample of every type")
def _():
    with cursor() as open_cursor:
        open_cursor.execute("select * from main.type_samples where label in ('smallest', 'largest', 'nulls') order by id")
        smallest, largest, nulls = open_cursor.fetchall()
    equal(smallest[2:9], (-32768, -2147483648, -9223372036854775808, decimal.Decimal("-99999999.9999"), -1.7976931348623157e308, False, ""))
    equal(largest[8:12], ("\U0010ffff", "z" * 20, "zzzzz", "ffffffff-ffff-ffff-ffff-ffffffffffff"))
    equal(largest[13:15], (datetime.time(23, 59, 59, 999999), datetime.datetime(9999, 12, 31, 23, 59, 59, 999999)))
    equal(nulls[2:], (None,) * 17)


@check("psycopg2 reads arrays from a table", "postgres")
def _():
    [row] = rows("select numbers, names, amounts, flags, grid from main.pg_only where id = 1")
    equal(row[0], [1, 2, 3])
    equal(row[1], ["a", "b c", "d,e", None, "NULL", ""])
    equal(row[2], [decimal.Decimal("1.50"), decimal.Decimal("2.00"), None])
    equal(row[3:], ([True, False, None], [[1, 2], [3, 4]]))


@check("psycopg2 writes arrays into a table", "postgres")
def _():
    with cursor() as open_cursor:
        open_cursor.execute(
            "insert into main.pg_only (label, numbers, names) values ('array', %s, %s) returning numbers, names",
            ([1, None, 3], ['a"b', "c,d", "{e}", None, ""]),
        )
        equal(open_cursor.fetchone(), ([1, None, 3], ['a"b', "c,d", "{e}", None, ""]))


@check("psycopg2 reads the types that PostgreSQL alone has", "postgres")
def _():
    [row] = rows("select current_mood, positive, any_numeric, f4, span, address, bits, during, home from main.pg_only where id = 1")
    equal(row[:4], ("happy", 1, decimal.Decimal("1.50"), 0.1))
    equal(row[4], datetime.timedelta(days=1, hours=2, minutes=3, seconds=4))
    equal(row[5:7], ("10.0.0.1", "1010"))
    equal((row[7].lower, row[7].upper), (1, 5))
    equal(row[8], '("Main St",0123)')


@check("psycopg2 sends expressions without a table")
def _():
    equal(echo("%s::int8", 2**62), 2**62)
    equal(str(echo("%s::numeric", decimal.Decimal("1.2300"))), "1.2300")
    equal(echo("%s::text", "x"), "x")
    equal(echo("array[1, 2, null]"), [1, 2, None])
    equal(echo("'1 day 02:00'::interval"), datetime.timedelta(days=1, hours=2))
    equal(echo("%s::uuid::text", str(uuid.UUID(int=5))), "00000000-0000-0000-0000-000000000005")
    equal(echo("null::int4"), None)
    equal(echo("'NaN'::float8::text"), "NaN")
    equal(echo("date '2024-02-29'"), datetime.date(2024, 2, 29))
    holds(abs(echo("now()") - datetime.datetime.now(UTC)) < datetime.timedelta(minutes=1))


@check("psycopg2 gets the types that aggregates have")
def _():
    with cursor() as open_cursor:
        open_cursor.execute("select count(*), sum(quantity), avg(quantity), sum(unit_price), max(order_id), min(discount) from main.order_items")
        equal([column.type_code for column in open_cursor.description], [20, 20, 1700, 1700, 23, 1700])
        open_cursor.execute("select sum(total_cents), avg(total_cents) from main.orders")
        equal([column.type_code for column in open_cursor.description], [1700, 1700])
