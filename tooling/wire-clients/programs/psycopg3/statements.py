"""Prepared statements, cursors, streams, descriptions, errors."""

import psycopg
from psycopg.rows import dict_row
from client import connect
from wire_checks import check, equal, fresh_id, holds, raised


@check("psycopg 3 prepares a statement after five runs")
def _():
    with connect() as connection:
        for number in range(1, 9):
            row = connection.execute("select name from main.tags where id = %s", (number,)).fetchone()
            holds(row, number)
        equal(connection.execute("select name from pg_prepared_statements").fetchall(), [("_pg3_0",)])


@check("psycopg 3 prepares at once when told to")
def _():
    with connect() as connection:
        for number in (1, 2, 3):
            row = connection.execute("select id from main.tags where id = %s", (number,), prepare=True).fetchone()
            equal(row, (number,))
        equal(connection.execute("select count(*) from pg_prepared_statements").fetchone(), (1,))


@check("psycopg 3 never prepares when told not to")
def _():
    with connect(prepare_threshold=None) as connection:
        for number in range(1, 9):
            equal(connection.execute("select id from main.tags where id = %s", (number,)).fetchone(), (number,))


@check("psycopg 3 deallocates the statements it forgets")
def _():
    with connect(prepare_threshold=0) as connection:
        connection.prepared_max = 3
        for number in range(10):
            statement = f"select id + {number} from main.tags where id = %s"
            equal(connection.execute(statement, (1,)).fetchone(), (1 + number,))


@check("psycopg 3 runs the same statement with parameters of other types")
def _():
    with connect() as connection:
        for value in (1, 2**40, None, 3):
            connection.execute("select id from main.orders where total_cents = %s", (value,), prepare=True).fetchall()


@check("psycopg 3 describes columns")
def _():
    with connect() as connection:
        cursor = connection.execute("select credit_limit, email, company_name, created_at from main.customers limit 0")
        limit, email, name, created = cursor.description
        equal((limit.type_code, limit.precision, limit.scale), (1700, 10, 2))
        equal((email.type_code, email.display_size), (1043, 120))
        equal((name.type_code, created.type_code, created.internal_size), (25, 1114, 8))


@check("psycopg 3 names columns as PostgreSQL does")
def _():
    with connect() as connection:
        cursor = connection.execute('select count(*), max(id), id + 1 as "Next", 1, coalesce(max(name), \'\') from main.tags group by id limit 1')
        equal([column.name for column in cursor.description], ["count", "max", "Next", "?column?", "coalesce"])


@check("psycopg 3 gives rows as dictionaries")
def _():
    with connect(row_factory=dict_row) as connection:
        equal(connection.execute("select id, active from main.customers where id = 1").fetchone().keys(), {"id", "active"})


@check("psycopg 3 reads with a server cursor")
def _():
    with connect(autocommit=False) as connection:
        with connection.cursor("pieces") as cursor:
            cursor.execute("select id from main.orders where id > %s order by id", (10,))
            cursor.itersize = 50
            equal([row[0] for row in cursor], list(range(11, 301)))


@check("psycopg 3 describes and scrolls a server cursor")
def _():
    with connect(autocommit=False) as connection:
        with connection.cursor("scrolled", scrollable=True) as cursor:
            cursor.execute("select id, status from main.orders order by id")
            equal([column.name for column in cursor.description], ["id", "status"])
            cursor.scroll(5)
            equal(cursor.fetchone()[0], 6)
            cursor.scroll(0, mode="absolute")
            equal([row[0] for row in cursor.fetchmany(2)], [1, 2])


@check("psycopg 3 reads a binary server cursor")
def _():
    with connect(autocommit=False) as connection:
        with connection.cursor("binary", binary=True) as cursor:
            cursor.execute("select id, freight, order_date from main.orders order by id")
            equal(len(cursor.fetchall()), 300)


@check("psycopg 3 streams rows one by one")
def _():
    with connect() as connection:
        cursor = connection.cursor()
        total = sum(row[0] for row in cursor.stream("select n from main.numbers where n <= %s", (3000,)))
        equal(total, 3000 * 3001 // 2)


@check("psycopg 3 leaves a stream early")
def _():
    with connect() as connection:
        cursor = connection.cursor()
        for row in cursor.stream("select n from main.numbers order by n"):
            if row[0] == 10:
                break
        equal(connection.execute("select 1").fetchone(), (1,))


@check("psycopg 3 reads 100 000 rows in binary")
def _():
    with connect() as connection:
        found = connection.execute("select n, label from main.numbers order by n", binary=True).fetchall()
        equal((len(found), found[-1]), (100_000, (100_000, "number 100000")))


@check("psycopg 3 runs many inserts in one go")
def _():
    with connect() as connection, connection.cursor() as cursor:
        keys = [fresh_id() for _ in range(200)]
        cursor.executemany("insert into main.scratch (id, name, amount) values (%s, %s, %s)", [(key, "many", key) for key in keys])
        equal(cursor.rowcount, 200)
        cursor.execute("delete from main.scratch where name = 'many'")
        equal(cursor.rowcount, 200)


@check("psycopg 3 gets a row back from each of many inserts")
def _():
    with connect() as connection, connection.cursor() as cursor:
        cursor.executemany("insert into main.folders (name) values (%s) returning id", [("a",), ("b",), ("c",)], returning=True)
        found = []
        while True:
            found += cursor.fetchall()
            if not cursor.nextset():
                break
        equal(len(set(found)), 3)


@check("psycopg 3 runs several statements without parameters")
def _():
    with connect() as connection:
        cursor = connection.execute("select 1 as a; select count(*) from main.orders; select 'x' as c")
        answers = [cursor.fetchone()]
        while cursor.nextset():
            answers.append(cursor.fetchone())
        equal(answers, [(1,), (300,), ("x",)])


@check("psycopg 3 is refused several statements with parameters")
def _():
    with connect() as connection:
        error = raised(psycopg.Error, lambda: connection.execute("select %s; select 2", (1,)))
        equal(error.sqlstate, "42601")


@check("psycopg 3 runs an empty query")
def _():
    with connect() as connection:
        equal(connection.execute("").description, None)
        equal(connection.execute("-- nothing").description, None)
        equal(connection.execute("select 1").fetchone(), (1,))


@check("psycopg 3 gets status messages")
def _():
    with connect() as connection:
        key = fresh_id()
        told = [
            connection.execute(sql).statusmessage
            for sql in (
                f"insert into main.scratch (id, name) values ({key}, 'x')",
                f"update main.scratch set name = 'y' where id = {key}",
                f"delete from main.scratch where id in ({key}, -1)",
                "select id from main.tags where id < 4",
                "begin",
                "commit",
                "set timezone to 'UTC'",
                "show timezone",
                "reset timezone",
            )
        ]
        equal(told, ["INSERT 0 1", "UPDATE 1", "DELETE 1", "SELECT 3", "BEGIN", "COMMIT", "SET", "SHOW", "RESET"])


@check("psycopg 3 places errors in statements with parameters")
def _():
    with connect() as connection:
        error = raised(psycopg.errors.UndefinedColumn, lambda: connection.execute("select nothing from main.tags where id = %s", (1,)))
        equal(error.diag.statement_position, "8")
        error = raised(psycopg.errors.UndefinedTable, lambda: connection.execute("delete from main.nowhere where id = %s", (1,)))
        equal((error.sqlstate, error.diag.statement_position), ("42P01", "13"))


@check("psycopg 3 hears what is wrong with a parameter")
def _():
    with connect() as connection:
        error = raised(psycopg.Error, lambda: connection.execute("select id from main.tags where id = %s", ("abc",)))
        equal(error.sqlstate, "22P02")
        error = raised(psycopg.Error, lambda: connection.execute("select %s::int2", (100_000,)))
        equal(error.sqlstate, "22003")
        error = raised(psycopg.Error, lambda: connection.execute("select id from main.tags where id = $1 and name = $2", None))
        equal(error.sqlstate, "42P02")


@check("psycopg 3 infers the types of parameters")
def _():
    with connect() as connection:
        prepared = connection.pgconn.prepare(b"s", b"select name, $2::numeric from main.tags where id = $1 and name <> $3 limit $4")
        equal(prepared.status, psycopg.pq.ExecStatus.COMMAND_OK)
        described = connection.pgconn.describe_prepared(b"s")
        equal([described.param_type(index) for index in range(described.nparams)], [23, 1700, 25, 20])
        equal([described.ftype(index) for index in range(described.nfields)], [25, 1700])


@check("psycopg 3 describes a portal")
def _():
    with connect(autocommit=False) as connection:
        connection.execute("declare p cursor for select id, name from main.tags")
        described = connection.pgconn.describe_portal(b"p")
        equal([described.fname(index) for index in range(described.nfields)], [b"id", b"name"])


@check("psycopg 3 inserts or updates")
def _():
    with connect() as connection:
        sql = """insert into main.counters (key, n) values (%s, %s)
            on conflict (key) do update set n = counters.n + excluded.n returning n"""
        equal(connection.execute(sql, ("three", 1)).fetchone(), (1,))
        equal(connection.execute(sql, ("three", 5)).fetchone(), (6,))


@check("psycopg 3 runs joins, windows, recursion and sets")
def _():
    with connect() as connection:
        sql = """with recursive down as (
              select id, name, 0 as depth from main.folders where id = %s
              union all select f.id, f.name, d.depth + 1 from main.folders f join down d on f.parent_id = d.id)
            select id, depth, rank() over (order by depth desc, id) from down order by id"""
        equal(connection.execute(sql, (1,)).fetchall(), [(1, 0, 4), (2, 1, 2), (3, 1, 3), (4, 2, 1)])
        sql = "select id from main.tags where id < %s union select id from main.folders where id < %s order by 1"
        equal(connection.execute(sql, (2, 3)).fetchall(), [(1,), (2,)])
