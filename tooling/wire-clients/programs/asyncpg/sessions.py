"""Startup, statements, cursors, transactions, pools, cancelling."""

import asyncio
from urllib.parse import quote

import asyncpg
from client import WORDS, raised, session
from wire_checks import check, equal, fresh_id, holds

SLOW = "select count(*) from main.numbers a, main.numbers b where a.n + b.n < 0"


@check("asyncpg connects and tells the server's version and settings")
async def _():
    async with session() as connection:
        holds(connection.get_server_version().major >= 15)
        settings = connection.get_settings()
        equal((settings.server_encoding, settings.client_encoding), ("UTF8", "UTF8"))
        holds(connection.get_server_pid() > 0)


@check("asyncpg connects with a URL and settings")
async def _():
    words = {name: quote(str(value)) for name, value in WORDS.items()}
    url = "postgresql://{user}:{password}@{host}:{port}/{database}".format(**words)
    connection = await asyncpg.connect(url, server_settings={"application_name": "wire", "timezone": "Asia/Tokyo"})
    equal(await connection.fetchval("show application_name"), "wire")
    equal(await connection.fetchval("show timezone"), "Asia/Tokyo")
    await connection.close()


@check("asyncpg is refused with a wrong password")
async def _():
    await raised(asyncpg.InvalidPasswordError, asyncpg.connect(**{**WORDS, "password": "wrong"}))


@check("asyncpg fetches rows, a row and a value")
async def _():
    async with session() as connection:
        equal(len(await connection.fetch("select * from main.orders")), 300)
        row = await connection.fetchrow("select id, name from main.folders where id = $1", 2)
        equal(dict(row), {"id": 2, "name": "docs"})
        equal(await connection.fetchval("select count(*) from main.orders where id > $1", 290), 10)
        equal(await connection.fetchrow("select id from main.folders where id = -1"), None)


@check("asyncpg gets status words")
async def _():
    async with session() as connection:
        key = fresh_id()
        equal(await connection.execute("insert into main.scratch (id, name) values ($1, $2)", key, "x"), "INSERT 0 1")
        equal(await connection.execute("update main.scratch set name = 'y' where id = $1", key), "UPDATE 1")
        equal(await connection.execute(f"delete from main.scratch where id = {key}"), "DELETE 1")
        equal(await connection.execute("select 1; select 2"), "SELECT 1")


@check("asyncpg prepares statements and describes them")
async def _():
    async with session() as connection:
        statement = await connection.prepare("select id, name, $2::numeric as n from main.tags where id = $1")
        equal([kind.name for kind in statement.get_parameters()], ["int4", "numeric"])
        equal([(column.name, column.type.name) for column in statement.get_attributes()], [("id", "int4"), ("name", "text"), ("n", "numeric")])
        for key in (1, 2, 3):
            equal((await statement.fetchrow(key, None))["id"], key)
        equal(await statement.fetchval(-1, 1), None)
        equal(statement.get_statusmsg(), "SELECT 0")


@check("asyncpg runs one statement a hundred times")
async def _():
    async with session() as connection:
        for number in range(100):
            equal(await connection.fetchval("select max(id) + $1 from main.tags where id < 3", number), 2 + number)


@check("asyncpg works without a statement cache")
async def _():
    async with session(statement_cache_size=0) as connection:
        for number in range(5):
            equal(await connection.fetchval("select id from main.tags where id = $1", number + 1), number + 1)


@check("asyncpg closes statements that its cache forgets")
async def _():
    async with session(statement_cache_size=3) as connection:
        for number in range(10):
            equal(await connection.fetchval(f"select id + {number} from main.tags where id = $1", 1), 1 + number)


@check("asyncpg inserts many rows at once")
async def _():
    async with session() as connection:
        keys = [fresh_id() for _ in range(500)]
        await connection.executemany("insert into main.scratch (id, name) values ($1, $2)", [(key, "many") for key in keys])
        equal(await connection.execute("delete from main.scratch where name = 'many'"), "DELETE 500")


@check("asyncpg inserts all of many rows or none")
async def _():
    async with session() as connection:
        keys = [fresh_id() for _ in range(10)]
        values = [(key, "none") for key in [*keys, keys[0]]]
        await raised(asyncpg.UniqueViolationError, connection.executemany("insert into main.scratch (id, name) values ($1, $2)", values))
        equal(await connection.fetchval("select count(*) from main.scratch where name = 'none'"), 0)


@check("asyncpg reads with cursors in a transaction")
async def _():
    async with session() as connection:
        async with connection.transaction():
            found = [row["id"] async for row in connection.cursor("select id from main.orders order by id", prefetch=70)]
            equal(found, list(range(1, 301)))
            cursor = await connection.cursor("select id from main.orders where id > $1 order by id", 100)
            equal((await cursor.fetchrow())["id"], 101)
            equal([row["id"] for row in await cursor.fetch(3)], [102, 103, 104])
            equal(await cursor.forward(10), 10)
            equal((await cursor.fetchrow())["id"], 115)


@check("asyncpg reads 100 000 rows with a cursor")
async def _():
    async with session() as connection:
        async with connection.transaction(readonly=True):
            total = 0
            async for row in connection.cursor("select n from main.numbers", prefetch=2000):
                total += row["n"]
            equal(total, 100_000 * 100_001 // 2)


@check("asyncpg reads 100 000 rows at once")
async def _():
    async with session() as connection:
        equal(len(await connection.fetch("select n, label from main.numbers")), 100_000)


@check("asyncpg commits, rolls back and nests transactions")
async def _():
    async with session() as connection:
        kept, lost = fresh_id(), fresh_id()
        insert = "insert into main.scratch (id, name) values ($1, 'x')"
        async with connection.transaction(isolation="serializable"):
            await connection.execute(insert, kept)
            inner = connection.transaction()
            await inner.start()
            await connection.execute(insert, lost)
            await inner.rollback()
            equal(connection.is_in_transaction(), True)
        equal(await connection.fetch("select id from main.scratch where id = any($1::int4[])", [kept, lost]), [(kept,)])


@check("asyncpg may not write in a read only transaction")
async def _():
    async with session() as connection:
        transaction = connection.transaction(readonly=True)
        await transaction.start()
        await raised(asyncpg.ReadOnlySQLTransactionError, connection.execute("delete from main.folders where id = -1"))
        await transaction.rollback()


@check("asyncpg begins deferrable serializable transactions")
async def _():
    async with session() as connection:
        async with connection.transaction(isolation="serializable", readonly=True, deferrable=True):
            holds(await connection.fetchval("select count(*) from main.tags"))


@check("asyncpg resets a connection")
async def _():
    async with session() as connection:
        await connection.execute("set timezone to 'Asia/Tokyo'")
        await connection.reset()
        holds(await connection.fetchval("show timezone") != "Asia/Tokyo")


@check("asyncpg uses a pool and gives connections back clean")
async def _():
    async with asyncpg.create_pool(min_size=1, max_size=3, **WORDS) as pool:
        async def one(number):
            async with pool.acquire() as connection:
                await connection.execute("set timezone to 'Asia/Tokyo'")
                return await connection.fetchval("select $1::int4 + 1", number)

        equal(await asyncio.gather(*[one(number) for number in range(20)]), list(range(1, 21)))
        async with pool.acquire() as connection:
            holds(await connection.fetchval("show timezone") != "Asia/Tokyo")


@check("asyncpg cancels a statement that takes too long")
async def _():
    async with session() as connection:
        await raised(asyncio.TimeoutError, connection.fetch(SLOW, timeout=0.2))
        equal(await connection.fetchval("select count(*) from main.orders"), 300)


@check("asyncpg is stopped by the statement timeout")
async def _():
    async with session(server_settings={"statement_timeout": "300"}) as connection:
        await raised(asyncpg.QueryCanceledError, connection.fetch(SLOW))


@check("asyncpg hears of warnings")
async def _():
    async with session() as connection:
        heard = []
        connection.add_log_listener(lambda _, message: heard.append(message.sqlstate))
        await connection.execute("commit")
        await asyncio.sleep(0.05)
        equal(heard, ["25P01"])


@check("asyncpg gets errors with their classes and places")
async def _():
    async with session() as connection:
        error = await raised(asyncpg.UndefinedTableError, connection.fetch("select * from main.nowhere"))
        equal(error.position, "15")
        await raised(asyncpg.UndefinedColumnError, connection.fetch("select nothing from main.tags"))
        await raised(asyncpg.PostgresSyntaxError, connection.fetch("selec 1"))
        error = await raised(asyncpg.UniqueViolationError, connection.execute("insert into main.tags values (1, 'x')"))
        equal((error.schema_name, error.table_name), ("main", "tags"))
        await raised(asyncpg.DivisionByZeroError, connection.fetch("select 1 / $1::int4", 0))
        await raised(asyncpg.NotNullViolationError, connection.execute("insert into main.scratch (name) values (null)"))
        equal(await connection.fetchval("select 1"), 1)


@check("asyncpg hears notifications", "postgres")
async def _():
    async with session() as connection:
        heard = asyncio.get_running_loop().create_future()
        await connection.add_listener("of_asyncpg", lambda *given: heard.set_result(given[2:]))
        await connection.execute("notify of_asyncpg, 'hello'")
        equal(await asyncio.wait_for(heard, 20), ("of_asyncpg", "hello"))
        await connection.reset()


@check("asyncpg reads the catalog to learn types", "postgres")
async def _():
    async with session() as connection:
        row = await connection.fetchrow("select current_mood, moods, home, positive, during from main.pg_only where id = 1")
        equal((row["current_mood"], row["moods"], row["positive"]), ("happy", ["sad", "happy"], 1))
        equal((row["home"]["street"], row["home"]["zip"]), ("Main St", "0123"))
        equal((row["during"].lower, row["during"].upper), (1, 5))


@check("asyncpg sets a codec of its own", "postgres")
async def _():
    async with session() as connection:
        await connection.set_type_codec("json", encoder=str, decoder=lambda text: ("json", text), schema="pg_catalog")
        equal(await connection.fetchval("select c_json from main.type_samples where label = 'zero'"), ("json", "0"))
