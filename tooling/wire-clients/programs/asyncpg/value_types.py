"""Values both ways, in binary."""

import datetime
import decimal
import ipaddress
import uuid

import asyncpg
from client import raised, session
from wire_checks import check, equal, fresh_id, holds

UTC = datetime.timezone.utc
D = decimal.Decimal


async def keeps(column, *values):
    async with session() as connection:
        for value in values:
            key = fresh_id()
            sql = f"insert into main.scratch (id, name, {column}) values ($1, 'v', $2) returning {column}"
            equal(await connection.fetchval(sql, key, value), value)
            sql = f"delete from main.scratch where id = $1 and {column} is not distinct from $2"
            equal(await connection.execute(sql, key, value), "DELETE 1")


@check("asyncpg keeps integers")
async def _():
    await keeps("small", 0, 32767, -32768, None)
    await keeps("n", 2147483647, -2147483648)
    await keeps("big", 2**63 - 1, -(2**63))


@check("asyncpg refuses integers that do not fit")
async def _():
    async with session() as connection:
        error = await raised(asyncpg.DataError, connection.fetch("select id from main.tags where id = $1", 2**40))
        holds("int32" in str(error), error)


@check("asyncpg keeps numerics and floats")
async def _():
    await keeps("amount", D("0.00"), D("0.01"), D("-99999999.99"), D("10000000.00"), None)
    await keeps("ratio", 0.1, -1e300, 5e-324, None)


@check("asyncpg keeps texts and bytes")
async def _():
    await keeps("note", "", "é ü 😀", "tab\tline\n\\'", "x" * 200_000, None)
    await keeps("code", "", "0123456789", None)
    await keeps("bytes", b"", bytes(range(256)), None)


@check("asyncpg keeps booleans")
async def _():
    await keeps("flag", True, False)


@check("asyncpg keeps dates and times")
async def _():
    await keeps("day", datetime.date(1, 1, 1), datetime.date(9999, 12, 31), None)
    await keeps("at", datetime.datetime(1, 1, 1), datetime.datetime(2024, 2, 29, 23, 59, 59, 999999), None)
    east = datetime.timezone(datetime.timedelta(hours=5, minutes=30))
    await keeps("seen_at", datetime.datetime(2024, 2, 29, 12, tzinfo=UTC), datetime.datetime(1999, 1, 1, tzinfo=east), None)


@check("asyncpg keeps JSON as text")
async def _():
    async with session() as connection:
        sql = "insert into main.scratch (id, name, data) values ($1, 'j', $2) returning data"
        equal(await connection.fetchval(sql, fresh_id(), '{"b":1,"a":[null,2.50]}'), '{"a": [null, 2.50], "b": 1}')


@check("asyncpg reads every sample")
async def _():
    async with session() as connection:
        samples = {row["label"]: row for row in await connection.fetch("select * from main.type_samples")}
    largest = samples["largest"]
    equal(largest["c_numeric"], D("99999999.9999"))
    equal(largest["c_uuid"], uuid.UUID(int=2**128 - 1))
    equal((largest["c_time"], largest["c_char"]), (datetime.time(23, 59, 59, 999999), "zzzzz"))
    equal(largest["c_timestamptz"], datetime.datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC))
    equal(samples["zero"]["c_char"], "0    ")
    equal(samples["upper"]["c_jsonb"], '{"a": 2, "z": 1, "bb": 3}')
    equal(set(samples["nulls"].values()), {3, "nulls", None})


@check("asyncpg reads arrays", "postgres")
async def _():
    async with session() as connection:
        row = await connection.fetchrow("select numbers, names, amounts, flags, days, stamps, grid from main.pg_only where id = 1")
        equal(row["numbers"], [1, 2, 3])
        equal(row["names"], ["a", "b c", "d,e", None, "NULL", ""])
        equal((row["amounts"], row["flags"]), ([D("1.50"), D("2.00"), None], [True, False, None]))
        equal(row["stamps"][1], datetime.datetime(2024, 1, 31, 10, 0, 0, 500000))
        equal(row["grid"], [[1, 2], [3, 4]])


@check("asyncpg writes arrays", "postgres")
async def _():
    async with session() as connection:
        sql = "insert into main.pg_only (label, numbers, names, amounts, grid) values ('w', $1, $2, $3, $4) returning numbers, names, amounts, grid"
        values = ([1, None], ["a,b", None, ""], [D("1.25")], [[1, 2], [3, 4]])
        equal(tuple(await connection.fetchrow(sql, *values)), values)


@check("asyncpg filters by lists")
async def _():
    async with session() as connection:
        found = await connection.fetch("select id from main.tags where id = any($1::int4[]) order by id", [1, 3, 99])
        equal([row["id"] for row in found], [1, 3])
        found = await connection.fetch("select id from main.folders where name = any($1::text[])", ["docs", "x"])
        equal([row["id"] for row in found], [2])


@check("asyncpg reads numerics, intervals, floats and networks of PostgreSQL", "postgres")
async def _():
    async with session() as connection:
        rows = {row["id"]: row for row in await connection.fetch("select id, any_numeric, span, f8, network, clock, bits, spot from main.pg_only where id in (1, 5)")}
        equal(rows[5]["any_numeric"], D("123456789012345678901234567890.123"))
        equal(rows[1]["span"], datetime.timedelta(days=1, hours=2, minutes=3, seconds=4))
        equal((rows[1]["f8"], rows[5]["f8"]), (0.1, float("-inf")))
        equal(rows[1]["network"], ipaddress.ip_network("10.0.0.0/8"))
        equal(rows[1]["clock"], datetime.time(10, 30, tzinfo=UTC))
        equal(rows[1]["bits"].as_string(), "1010")
        equal(rows[1]["spot"], asyncpg.Point(1.5, 2.0))


@check("asyncpg reads infinite timestamps", "postgres")
async def _():
    async with session() as connection:
        row = await connection.fetchrow("select stamp_any, stamp from main.pg_only where id = 1")
        equal(row["stamp_any"], datetime.datetime.max)


@check("asyncpg sends values of every type without a table")
async def _():
    async with session() as connection:
        for kind, value in (
            ("int2", -5),
            ("int8", 2**40),
            ("float4", 0.5),
            ("numeric", D("-12345678901234567890.0001")),
            ("bool", True),
            ("text", "é"),
            ("varchar", "v"),
            ("bytea", b"\0\xff"),
            ("uuid", uuid.UUID(int=1)),
            ("date", datetime.date(2024, 2, 29)),
            ("time", datetime.time(1, 2, 3)),
            ("timestamp", datetime.datetime(2024, 2, 29, 1)),
            ("timestamptz", datetime.datetime(2024, 2, 29, 1, tzinfo=UTC)),
            ("interval", datetime.timedelta(days=5, microseconds=7)),
            ("int4[]", [1, None, 3]),
            ("text[]", ["a", None]),
            ("jsonb", '{"a": 1}'),
        ):
            equal(await connection.fetchval(f"select $1::{kind}", value), value)
            equal(await connection.fetchval(f"select $1::{kind}", None), None)


@check("asyncpg reads records and nested rows", "postgres")
async def _():
    async with session() as connection:
        equal(tuple(await connection.fetchval("select row(1, 'x'::text, null::int4)")), (1, "x", None))
