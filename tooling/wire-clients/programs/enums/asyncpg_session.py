"""A session of asyncpg, which keeps the types that it has met: for each line it reads, it uses the enum and prints what it got."""

import asyncio
import json
import sys

import asyncpg
from wire_checks import DATABASE, HOST, PASSWORD, PORT, USER


async def main():
    connection = await asyncpg.connect(
        host=HOST, port=PORT, user=USER, password=PASSWORD or "none", database=DATABASE
    )
    for line in iter(sys.stdin.readline, ""):
        row = await connection.fetchrow("select m, ms from t1 where id = 1")
        found = await connection.fetch("select id from t1 where m = $1", "ok")
        await connection.execute("insert into t1 (id, ms) values ($1, $2)", int(line), ["sad"])
        answer = {"mood": row["m"], "moods": row["ms"], "found": [each["id"] for each in found]}
        print(json.dumps(answer), flush=True)
    await connection.close()


asyncio.run(main())
