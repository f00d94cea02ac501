"""Values both ways, as text and as binary."""

import datetime
import decimal
import ipaddress
import uuid

from psycopg.types.json import Json, Jsonb
from client import connect, rows
from wire_checks import check, equal, fresh_id, holds

UTC = datetime.timezone.utc
D = decimal.Decimal


def stored(column, value):
    """What comes back, read as text and as binary, of a value written as text (%t) and as binary (%b)."""
    found = []
    with connect() as connection:
        for mark in ("%t", "%b"):
            for binary in (False, True):
                key = fresh_id()
                sql = f"insert into main.scratch (id, name, {column}) values (%s, 'v', {mark}) returning {column}"
                found.append(connection.execute(sql, (key, value), binary=binary).fetchone()[0])
                sql = f"delete from main.scratch where id = %s and {column} is not distinct from {mark}"
                equal(connection.execute(sql, (key, value)).rowcount, 1)
    return found


def keeps(column, *values):
    for value in values:
        equal(stored(column, value), [value] * 4)


def both(sql, values=None):
    """The only value of a query, which must be the same in text and in binary."""
    [(text,)] = rows(sql, values)
    [(binary,)] = rows(sql, values, binary=True)
    equal(binary, text)
    return text


@check("psycopg 3 keeps integers")
def _():
    keeps("small", 0, -1, 32767, -32768, None)
    keeps("n", 0, -1, 2147483647, -2147483648)
    keeps("big", 0, -1, 2**63 - 1, -(2**63), None)


@check("psycopg 3 keeps numerics")
def _():
    keeps("amount", D("0.00"), D("1.50"), D("-0.01"), D("99999999.99"), D("10000.00"), D("1000000.00"), None)
    equal([str(value) for value in stored("amount", D("3"))], ["3.00"] * 4)


@check("psycopg 3 keeps floats")
def _():
    keeps("ratio", 0.0, 0.1, -1e-300, 1.7976931348623157e308, 5e-324, None)


@check("psycopg 3 keeps texts")
def _():
    keeps("note", "", "it's", "é ü 😀 \U0010ffff", "tab\tline\n\\", "x" * 100_000, None)


@check("psycopg 3 keeps booleans")
def _():
    keeps("flag", True, False)


@check("psycopg 3 keeps bytes")
def _():
    keeps("bytes", b"", b"\0\xff\\'", bytes(range(256)) * 100, None)


@check("psycopg 3 keeps dates")
def _():
    keeps("day", datetime.date(1, 1, 1), datetime.date(9999, 12, 31), datetime.date(2024, 2, 29), None)


@check("psycopg 3 keeps timestamps")
def _():
    keeps("at", datetime.datetime(1999, 12, 31, 23, 59, 59, 999999), datetime.datetime(1, 1, 1), datetime.datetime(9999, 12, 31, 23, 59), None)


@check("psycopg 3 keeps moments in time zones")
def _():
    east = datetime.timezone(datetime.timedelta(hours=5, minutes=30))
    keeps("seen_at", datetime.datetime(2024, 2, 29, 12, tzinfo=UTC), datetime.datetime(2024, 2, 29, 12, 0, 0, 1, tzinfo=east), None)


@check("psycopg 3 keeps JSON")
def _():
    with connect() as connection:
        value = {"b": [1, 2.5, None, True], "a": {"é": "x"}}
        for wrapper in (Json, Jsonb):
            for mark in ("%t", "%b"):
                for binary in (False, True):
                    sql = f"insert into main.scratch (id, name, data) values (%s, 'j', {mark}) returning data"
                    equal(connection.execute(sql, (fresh_id(), wrapper(value)), binary=binary).fetchone(), (value,))


@check("psycopg 3 reads the samples alike as text and as binary")
def _():
    sql = "select * from main.type_samples order by id"
    with connect() as connection:
        text, binary = (connection.execute(sql, binary=flag).fetchall() for flag in (False, True))
    equal(len(text), len(binary))
    for left, right in zip(text, binary):
        equal(right, left)


@check("psycopg 3 reads the extremes")
def _():
    [row] = rows("select c_int8, c_numeric, c_float8, c_time, c_timestamp, c_uuid, c_json from main.type_samples where label = 'largest'", binary=True)
    equal(row[:3], (2**63 - 1, D("99999999.9999"), 1.7976931348623157e308))
    equal(row[3:5], (datetime.time(23, 59, 59, 999999), datetime.datetime(9999, 12, 31, 23, 59, 59, 999999)))
    equal(row[5:], (uuid.UUID(int=2**128 - 1), [{"deep": [[[1]]]}]))


@check("psycopg 3 shows moments in the session's time zone, in binary too")
def _():
    with connect() as connection:
        connection.execute("set timezone to 'Europe/Berlin'")
        sql = "select c_timestamptz from main.type_samples where label = 'zero'"
        for binary in (False, True):
            [(moment,)] = connection.execute(sql, binary=binary).fetchall()
            equal(moment, datetime.datetime(2000, 1, 1, tzinfo=UTC))
            equal(moment.utcoffset(), datetime.timedelta(hours=1))


@check("psycopg 3 compares with uuids, dates and moments")
def _():
    sql = "select label from main.type_samples where c_uuid = %s and c_date = %s and c_timestamptz = %s"
    values = (uuid.UUID("1" * 32), datetime.date(2000, 1, 1), datetime.datetime(2000, 1, 1, tzinfo=UTC))
    equal(both(sql, values), "zero")
    equal(both(sql.replace("%s", "%b"), values), "zero")


@check("psycopg 3 reads arrays", "postgres")
def _():
    for binary in (False, True):
        [row] = rows("select numbers, names, amounts, flags, days, grid from main.pg_only where id = 1", binary=binary)
        equal(row[:2], ([1, 2, 3], ["a", "b c", "d,e", None, "NULL", ""]))
        equal(row[2:4], ([D("1.50"), D("2.00"), None], [True, False, None]))
        equal(row[4:], ([datetime.date(2024, 1, 31), datetime.date(2024, 2, 29)], [[1, 2], [3, 4]]))


@check("psycopg 3 writes arrays", "postgres")
def _():
    values = ([1, None, -3], ['a"b', "c,d", "{e}", None, ""], [D("1.25"), None], [datetime.datetime(2024, 1, 1, 12)])
    with connect() as connection:
        for mark in ("%t", "%b"):
            marks = ", ".join([mark] * 4)
            sql = f"insert into main.pg_only (label, numbers, names, amounts, stamps) values ('w', {marks}) returning numbers, names, amounts, stamps"
            equal(connection.execute(sql, values).fetchone(), values)
            equal(connection.execute(sql, ([], [], [], [])).fetchone(), ([], [], [], []))


@check("psycopg 3 filters by a list")
def _():
    with connect() as connection:
        for mark in ("%t", "%b"):
            found = connection.execute(f"select id from main.tags where id = any({mark}) order by id", ([3, 1, 99],)).fetchall()
            equal(found, [(1,), (3,)])


@check("psycopg 3 reads intervals, networks and ranges", "postgres")
def _():
    for binary in (False, True):
        [row] = rows("select span, address, network, during, f4 from main.pg_only where id = 1", binary=binary)
        equal(row[0], datetime.timedelta(days=1, hours=2, minutes=3, seconds=4))
        equal(row[1:3], (ipaddress.ip_address("10.0.0.1"), ipaddress.ip_network("10.0.0.0/8")))
        equal((row[3].lower, row[3].upper), (1, 5))
        holds(abs(row[4] - 0.1) < 1e-7)


@check("psycopg 3 reads numerics of any size", "postgres")
def _():
    for binary in (False, True):
        found = rows("select any_numeric from main.pg_only order by id", binary=binary)
        equal([str(row[0]) for row in found[:2]] + [str(row[0]) for row in found[3:5]], ["1.50", "0", "NaN", "123456789012345678901234567890.123"])


@check("psycopg 3 reads special floats", "postgres")
def _():
    for binary in (False, True):
        found = dict(rows("select id, f8 from main.pg_only where id in (4, 5)", binary=binary))
        equal(found, {4: float("inf"), 5: float("-inf")})


@check("psycopg 3 sends values of every type without a table")
def _():
    equal(both("select %b::int8", (2**40,)), 2**40)
    equal(both("select %b::numeric", (D("-1.2300"),)), D("-1.2300"))
    equal(both("select %b::text", ("é",)), "é")
    equal(both("select %b::bytea", (b"\0\1",)), b"\0\1")
    equal(both("select %b::uuid", (uuid.UUID(int=7),)), uuid.UUID(int=7))
    equal(both("select %b::date", (datetime.date(2024, 2, 29),)), datetime.date(2024, 2, 29))
    equal(both("select %b::interval", (datetime.timedelta(days=3, seconds=1),)), datetime.timedelta(days=3, seconds=1))
    equal(both("select %b::int4[]", ([1, None],)), [1, None])
    equal(both("select %b::timestamptz", (datetime.datetime(2024, 1, 1, tzinfo=UTC),)), datetime.datetime(2024, 1, 1, tzinfo=UTC))
    equal(both("select 1.0 / 3 > 0.333"), True)
    equal(both("select '{\"a\": 1}'::jsonb"), {"a": 1})
