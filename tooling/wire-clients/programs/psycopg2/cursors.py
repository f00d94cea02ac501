"""Cursors of the client and of the server, many parameters, descriptions."""

import psycopg2
import psycopg2.extras
from client import cursor, rows, session
from wire_checks import check, equal, fresh_id, holds, raised


@check("psycopg2 describes result columns")
def _():
    with cursor() as open_cursor:
        open_cursor.execute("select id, company_name, email, credit_limit, active from main.customers limit 1")
        names = [column.name for column in open_cursor.description]
        equal(names, ["id", "company_name", "email", "credit_limit", "active"])
        equal([column.type_code for column in open_cursor.description], [23, 25, 1043, 1700, 16])
        limit = open_cursor.description[3]
        equal((limit.precision, limit.scale), (10, 2))
        equal(open_cursor.description[2].internal_size, 120)


@check("psycopg2 tells which table and column a result column is from")
def _():
    with cursor() as open_cursor:
        open_cursor.execute("select company_name, 1 + 1 as two from main.customers limit 1")
        name, two = open_cursor.description
        holds(name.table_oid, name)
        equal((name.table_column, two.table_oid), (2, None))
        open_cursor.execute("select 'main.customers'::regclass::oid")
        equal(open_cursor.fetchone(), (name.table_oid,))


@check("psycopg2 reads rows as dictionaries and named tuples")
def _():
    with session() as connection:
        dictionary = connection.cursor(cursor_factory=psycopg2.extras.RealDictCursor)
        dictionary.execute("select id, name from main.tags order by id limit 1")
        equal(sorted(dictionary.fetchone()), ["id", "name"])
        named = connection.cursor(cursor_factory=psycopg2.extras.NamedTupleCursor)
        named.execute("select id, name from main.tags order by id limit 1")
        equal(named.fetchone().id, 1)


@check("psycopg2 fetches one, many and all")
def _():
    with cursor() as open_cursor:
        open_cursor.execute("select id from main.orders order by id")
        equal(open_cursor.rowcount, 300)
        equal(open_cursor.fetchone(), (1,))
        equal(open_cursor.fetchmany(2), [(2,), (3,)])
        equal(len(open_cursor.fetchall()), 297)


@check("psycopg2 reads in pieces with a named cursor")
def _():
    with session() as connection:
        named = connection.cursor("pieces")
        named.itersize = 70
        named.execute("select id from main.orders order by id")
        equal([row[0] for row in named], list(range(1, 301)))
        named.close()


@check("psycopg2 reads 100 000 rows with a named cursor")
def _():
    with session() as connection:
        named = connection.cursor("many")
        named.itersize = 5000
        named.execute("select n from main.numbers order by n")
        equal(sum(row[0] for row in named), 100_000 * 100_001 // 2)


@check("psycopg2 scrolls a cursor")
def _():
    with session() as connection:
        named = connection.cursor("scrolled", scrollable=True)
        named.execute("select id from main.orders order by id")
        equal(named.fetchmany(3), [(1,), (2,), (3,)])
        named.scroll(10)
        equal(named.fetchone(), (14,))
        named.scroll(-5)
        equal(named.fetchone(), (10,))
        named.scroll(100, mode="absolute")
        equal(named.fetchone(), (101,))


@check("psycopg2 keeps a cursor WITH HOLD beyond the transaction")
def _():
    with session() as connection:
        named = connection.cursor("held", withhold=True)
        named.execute("select id from main.tags order by id")
        equal(named.fetchone(), (1,))
        connection.commit()
        equal(named.fetchone(), (2,))
        named.close()


@check("psycopg2 loses a cursor with its transaction")
def _():
    with session() as connection:
        named = connection.cursor("lost")
        named.execute("select id from main.tags order by id")
        connection.rollback()
        error = raised(psycopg2.Error, named.fetchone)
        holds(error.pgcode in ("34000", None), error)


@check("psycopg2 declares, fetches, moves and closes by hand")
def _():
    with session() as connection:
        open_cursor = connection.cursor()
        open_cursor.execute("declare c scroll cursor for select id from main.orders order by id")
        open_cursor.execute("fetch 2 from c")
        equal(open_cursor.fetchall(), [(1,), (2,)])
        equal(open_cursor.statusmessage, "FETCH 2")
        open_cursor.execute("move forward 3 in c")
        equal(open_cursor.statusmessage, "MOVE 3")
        open_cursor.execute("fetch next from c")
        equal(open_cursor.fetchall(), [(6,)])
        open_cursor.execute("fetch backward 2 from c")
        equal(open_cursor.fetchall(), [(5,), (4,)])
        open_cursor.execute("fetch last from c")
        equal(open_cursor.fetchall(), [(300,)])
        open_cursor.execute("fetch first from c")
        equal(open_cursor.fetchall(), [(1,)])
        open_cursor.execute("fetch all from c")
        equal(len(open_cursor.fetchall()), 299)
        open_cursor.execute("close c")
        equal(open_cursor.statusmessage, "CLOSE CURSOR")


@check("psycopg2 inserts many rows one by one and in batches")
def _():
    with cursor() as open_cursor:
        ids = [fresh_id() for _ in range(60)]
        insert = "insert into main.scratch (id, name) values (%s, %s)"
        open_cursor.executemany(insert, [(key, "one by one") for key in ids[:20]])
        psycopg2.extras.execute_batch(open_cursor, insert, [(key, "batch") for key in ids[20:40]])
        psycopg2.extras.execute_values(
            open_cursor,
            "insert into main.scratch (id, name) values %s",
            [(key, "values") for key in ids[40:]],
        )
        open_cursor.execute("select name, count(*) from main.scratch where id = any(%s) group by name order by name", (ids,))
        equal(open_cursor.fetchall(), [("batch", 20), ("one by one", 20), ("values", 20)])
        open_cursor.execute("delete from main.scratch where id = any(%s)", (ids,))
        equal(open_cursor.rowcount, 60)


@check("psycopg2 gets inserted rows back")
def _():
    with cursor() as open_cursor:
        open_cursor.execute("insert into main.folders (name) values (%s) returning id, parent_id", ("new",))
        key, parent = open_cursor.fetchone()
        holds(key > 5)
        equal((parent, open_cursor.statusmessage), (None, "INSERT 0 1"))
        open_cursor.execute("update main.folders set name = 'newer' where id = %s returning name", (key,))
        equal(open_cursor.fetchall(), [("newer",)])
        equal(open_cursor.statusmessage, "UPDATE 1")
        open_cursor.execute("delete from main.folders where id = %s", (key,))
        equal(open_cursor.statusmessage, "DELETE 1")


@check("psycopg2 runs several statements at once")
def _():
    with cursor() as open_cursor:
        open_cursor.execute("select 1; select 2 as b; select count(*) from main.tags where id < 0")
        equal(open_cursor.fetchall(), [(0,)])


@check("psycopg2 runs several statements as one transaction")
def _():
    key = fresh_id()
    with cursor() as open_cursor:
        both = f"insert into main.scratch (id, name) values ({key}, 'x'); select 1 / (id - id) from main.tags"
        error = raised(psycopg2.Error, lambda: open_cursor.execute(both))
        equal(error.pgcode, "22012")
        open_cursor.execute("select count(*) from main.scratch where id = %s", (key,))
        equal(open_cursor.fetchone(), (0,))


@check("psycopg2 complains of an empty query")
def _():
    with cursor() as open_cursor:
        error = raised(psycopg2.ProgrammingError, lambda: open_cursor.execute(""))
        holds("empty query" in str(error), error)
        open_cursor.execute("select 1")


@check("psycopg2 prepares and executes by hand")
def _():
    with session() as connection:
        open_cursor = connection.cursor()
        open_cursor.execute("prepare by_id (int4) as select name from main.tags where id = $1")
        equal(open_cursor.statusmessage, "PREPARE")
        open_cursor.execute("execute by_id(1)")
        equal(len(open_cursor.fetchall()), 1)
        open_cursor.execute("execute by_id(%s)", (-1,))
        equal(open_cursor.fetchall(), [])
        open_cursor.execute("deallocate by_id")
        equal(open_cursor.statusmessage, "DEALLOCATE")
        error = raised(psycopg2.Error, lambda: open_cursor.execute("execute by_id(1)"))
        equal(error.pgcode, "26000")


@check("psycopg2 reads the catalogs for its type extensions", "postgres")
def _():
    with session() as connection:
        equal(psycopg2.extras.HstoreAdapter.get_oids(connection), ((), ()))
        address = psycopg2.extras.register_composite("main.address", connection)
        equal(address.attnames, ["street", "zip"])


@check("psycopg2 reads 100 000 rows at once")
def _():
    equal(len(rows("select n, label from main.numbers")), 100_000)
