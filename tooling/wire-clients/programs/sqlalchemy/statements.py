"""Statements, the ORM, transactions and pools over reflected tables."""

import decimal

import sqlalchemy
from client import ENGINE, create_engine
from sqlalchemy import func, select
from sqlalchemy.ext.automap import automap_base
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.orm import Session
from wire_checks import DATABASE, HOST, PASSWORD, PORT, USER, check, equal, fresh_id, holds, raised


def table(name):
    return sqlalchemy.Table(name, sqlalchemy.MetaData(), schema="main", autoload_with=ENGINE)


@check("SQLAlchemy selects from reflected tables")
def _():
    orders, customers = table("orders"), table("customers")
    query = (
        select(customers.c.company_name, func.count(orders.c.id).label("n"))
        .join(orders, orders.c.customer_id == customers.c.id)
        .group_by(customers.c.company_name)
        .order_by(sqlalchemy.desc("n"))
        .limit(3)
    )
    with ENGINE.connect() as connection:
        equal(len(connection.execute(query).all()), 3)


@check("SQLAlchemy inserts, updates and deletes")
def _():
    scratch, key = table("scratch"), fresh_id()
    with ENGINE.begin() as connection:
        connection.execute(scratch.insert().values(id=key, name="x", amount=decimal.Decimal("1.5"), data={"a": [1]}))
        row = connection.execute(select(scratch.c.amount, scratch.c.data, scratch.c.flag).where(scratch.c.id == key)).one()
        equal(tuple(row), (decimal.Decimal("1.50"), {"a": [1]}, True))
        equal(connection.execute(scratch.update().where(scratch.c.id == key).values(name="y")).rowcount, 1)
        equal(connection.execute(scratch.delete().where(scratch.c.id == key)).rowcount, 1)


@check("SQLAlchemy learns the key of an inserted row")
def _():
    folders = table("folders")
    with ENGINE.begin() as connection:
        [key] = connection.execute(folders.insert().values(name="made")).inserted_primary_key
        holds(key > 5)


@check("SQLAlchemy maps classes to reflected tables")
def _():
    base = automap_base()
    base.prepare(ENGINE, reflect=True, schema="main")
    with Session(ENGINE) as session:
        order = session.get(base.classes.orders, 1)
        holds(order.customers.company_name)
        first = session.query(base.classes.categories).filter_by(parent_id=None).first()
        holds(first)


@check("SQLAlchemy flushes new objects in one transaction")
def _():
    base = automap_base()
    base.prepare(ENGINE, reflect=True, schema="main")
    kind = base.classes.folders
    with Session(ENGINE) as session:
        session.add_all([kind(name="flushed", parent_id=1) for _ in range(5)])
        session.flush()
        equal(session.query(kind).filter_by(name="flushed").count(), 5)
        session.rollback()
        equal(session.query(kind).filter_by(name="flushed").count(), 0)


@check("SQLAlchemy nests transactions")
def _():
    scratch, kept, lost = table("scratch"), fresh_id(), fresh_id()
    with ENGINE.begin() as connection:
        connection.execute(scratch.insert().values(id=kept, name="x"))
        nested = connection.begin_nested()
        connection.execute(scratch.insert().values(id=lost, name="x"))
        nested.rollback()
    with ENGINE.connect() as connection:
        equal(connection.execute(select(scratch.c.id).where(scratch.c.id.in_([kept, lost]))).scalars().all(), [kept])


@check("SQLAlchemy chooses the isolation of a connection")
def _():
    for level in ("REPEATABLE READ", "SERIALIZABLE", "AUTOCOMMIT"):
        with create_engine(isolation_level=level).connect() as connection:
            equal(connection.execute(sqlalchemy.text("select count(*) from main.orders")).scalar(), 300)
            equal(connection.get_isolation_level() in (level, "READ COMMITTED"), True)


@check("SQLAlchemy streams rows with a server cursor")
def _():
    with ENGINE.connect().execution_options(stream_results=True, max_row_buffer=500) as connection:
        total = sum(row[0] for row in connection.execute(sqlalchemy.text("select n from main.numbers")))
        equal(total, 100_000 * 100_001 // 2)


@check("SQLAlchemy pings and recycles pooled connections")
def _():
    engine = create_engine(pool_pre_ping=True, pool_size=2)
    for _ in range(4):
        with engine.connect() as connection:
            equal(connection.execute(sqlalchemy.text("select 1")).scalar(), 1)
    engine.dispose()


@check("SQLAlchemy inserts many rows")
def _():
    scratch = table("scratch")
    with create_engine(executemany_mode="values_plus_batch").begin() as connection:
        connection.execute(scratch.insert(), [{"id": fresh_id(), "name": "bulk"} for _ in range(500)])
        equal(connection.execute(scratch.delete().where(scratch.c.name == "bulk")).rowcount, 500)


@check("SQLAlchemy turns errors into its own")
def _():
    tags = table("tags")
    with ENGINE.connect() as connection:
        error = raised(sqlalchemy.exc.IntegrityError, lambda: connection.execute(tags.insert().values(id=1, name="x")))
        equal(error.orig.pgcode, "23505")
        raised(sqlalchemy.exc.ProgrammingError, lambda: connection.execute(sqlalchemy.text("select nothing")))


@check("SQLAlchemy works over asyncpg")
async def _():
    url = sqlalchemy.engine.URL.create("postgresql+asyncpg", USER, PASSWORD, HOST, PORT, DATABASE)
    engine = create_async_engine(url)
    async with engine.connect() as connection:
        query = sqlalchemy.text("select data from main.scratch where id = :id")
        equal((await connection.execute(query, {"id": 1})).scalar(), {"k": 1})
        names = await connection.run_sync(lambda bound: sqlalchemy.inspect(bound).get_table_names(schema="main"))
        holds("orders" in names, names)
    await engine.dispose()


@check("SQLAlchemy commits over asyncpg")
async def _():
    url = sqlalchemy.engine.URL.create("postgresql+asyncpg", USER, PASSWORD, HOST, PORT, DATABASE)
    engine, key = create_async_engine(url), fresh_id()
    insert = sqlalchemy.text("insert into main.scratch (id, name) values (:id, 'x')")
    async with engine.begin() as connection:
        await connection.execute(insert, {"id": key})
    async with engine.connect() as connection:
        await connection.execute(insert, {"id": fresh_id()})
        await connection.rollback()
        count = sqlalchemy.text("select count(*) from main.scratch where id >= :id")
        equal((await connection.execute(count, {"id": key})).scalar(), 1)
    await engine.dispose()
