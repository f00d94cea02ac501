"""COPY with records, queries and files."""

import datetime
import decimal
import io

import asyncpg
from client import raised, session
from wire_checks import check, equal, fresh_id


@check("asyncpg copies records into a table")
async def _():
    async with session() as connection:
        keys = [fresh_id() for _ in range(1000)]
        records = [(key, "copied", decimal.Decimal("1.5"), datetime.date(2024, 2, 29), None) for key in keys]
        columns = ["id", "name", "amount", "day", "note"]
        told = await connection.copy_records_to_table("scratch", schema_name="main", records=records, columns=columns)
        equal(told, "COPY 1000")
        equal(await connection.fetchval("select count(*) from main.scratch where name = 'copied' and amount = 1.5"), 1000)
        await connection.execute("delete from main.scratch where name = 'copied'")


@check("asyncpg copies records into a table that the search path finds")
async def _():
    async with session() as connection:
        key = fresh_id()
        equal(await connection.copy_records_to_table("scratch", records=[(key, "x")], columns=["id", "name"]), "COPY 1")


@check("asyncpg copies a query out")
async def _():
    async with session() as connection:
        target = io.BytesIO()
        told = await connection.copy_from_query(
            "select id, name from main.folders where id <= $1 order by id", 2, output=target, format="csv", header=True
        )
        equal((told, target.getvalue()), ("COPY 2", b"id,name\n1,root\n2,docs\n"))


@check("asyncpg copies a table out")
async def _():
    async with session() as connection:
        target = io.BytesIO()
        told = await connection.copy_from_table("numbers", schema_name="main", columns=["n"], output=target)
        equal((told, target.getvalue().count(b"\n")), ("COPY 100000", 100_000))


@check("asyncpg copies a file into a table")
async def _():
    async with session() as connection:
        key = fresh_id()
        source = io.BytesIO(f"{key},\"a,b\"\n".encode())
        told = await connection.copy_to_table("scratch", schema_name="main", source=source, columns=["id", "name"], format="csv")
        equal(told, "COPY 1")
        equal(await connection.fetchval("select name from main.scratch where id = $1", key), "a,b")


@check("asyncpg hears of a copied record that violates a constraint")
async def _():
    async with session() as connection:
        copy = connection.copy_records_to_table("tags", schema_name="main", records=[(1, "again")], columns=["id", "name"])
        await raised(asyncpg.UniqueViolationError, copy)
        equal(await connection.fetchval("select 1"), 1)
