"""Connections of this client."""

import contextlib

import asyncpg
from wire_checks import DATABASE, HOST, PASSWORD, PORT, USER

WORDS = dict(host=HOST, port=PORT, user=USER, password=PASSWORD, database=DATABASE)


@contextlib.asynccontextmanager
async def session(**options):
    connection = await asyncpg.connect(**{**WORDS, **options})
    try:
        yield connection
    finally:
        await connection.close(timeout=5)


async def raised(kind, awaitable):
    """The exception of that kind which the awaitable raises."""
    try:
        await awaitable
    except kind as error:
        return error
    raise AssertionError(f"no {kind.__name__} was raised")
