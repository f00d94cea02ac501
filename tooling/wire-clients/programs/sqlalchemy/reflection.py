"""What the inspector finds in the catalog."""

import sqlalchemy
from sqlalchemy import types
from client import ENGINE
from sqlalchemy.dialects import postgresql
from wire_checks import check, equal, holds, raised

TABLES = {"categories", "suppliers", "customers", "customer_profiles", "employees", "products", "tags"}
TABLES |= {"product_tags", "orders", "order_items", "reviews", "type_samples", "odd names", "scratch", "numbers"}


def inspector():
    return sqlalchemy.inspect(ENGINE)


def columns_of(table):
    return {column["name"]: column for column in inspector().get_columns(table, schema="main")}


@check("SQLAlchemy connects and knows the version")
def _():
    with ENGINE.connect() as connection:
        holds(connection.dialect.server_version_info >= (15,), connection.dialect.server_version_info)
        equal(connection.dialect.default_schema_name, "main")


@check("SQLAlchemy lists schemas")
def _():
    holds("main" in inspector().get_schema_names())


@check("SQLAlchemy lists tables")
def _():
    found = set(inspector().get_table_names(schema="main"))
    holds(TABLES <= found, TABLES - found)


@check("SQLAlchemy lists the tables of the default schema")
def _():
    equal(set(inspector().get_table_names()), set(inspector().get_table_names(schema="main")))


@check("SQLAlchemy lists views")
def _():
    equal(set(inspector().get_view_names(schema="main")) >= {"customer_totals", "open_orders"}, True)


@check("SQLAlchemy tells whether a table exists")
def _():
    equal(inspector().has_table("orders", schema="main"), True)
    equal(inspector().has_table("nowhere", schema="main"), False)


@check("SQLAlchemy reads columns with their types")
def _():
    columns = columns_of("products")
    kinds = {
        "id": types.INTEGER,
        "name": types.TEXT,
        "sku": types.VARCHAR,
        "unit_price": types.NUMERIC,
        "reorder_level": types.SMALLINT,
        "discontinued": types.BOOLEAN,
        "weight_kg": postgresql.DOUBLE_PRECISION,
        "attributes": postgresql.JSONB,
        "created_at": postgresql.TIMESTAMP,
        "released_on": types.DATE,
        "external_id": postgresql.UUID,
    }
    for name, kind in kinds.items():
        holds(isinstance(columns[name]["type"], kind), (name, columns[name]["type"]))


@check("SQLAlchemy reads lengths, precisions and time zones")
def _():
    products, orders = columns_of("products"), columns_of("orders")
    equal(products["sku"]["type"].length, 20)
    equal((products["cost"]["type"].precision, products["cost"]["type"].scale), (12, 4))
    equal((orders["paid_at"]["type"].timezone, orders["order_date"]["type"].timezone), (True, False))


@check("SQLAlchemy reads which columns are nullable")
def _():
    columns = columns_of("orders")
    equal([columns[name]["nullable"] for name in ("id", "customer_id", "employee_id", "notes")], [False, False, True, True])


@check("SQLAlchemy reads the order of columns")
def _():
    names = list(columns_of("order_items"))
    equal(names, ["order_id", "product_id", "quantity", "unit_price", "discount"])


@check("SQLAlchemy reads names that need quotes")
def _():
    equal(list(columns_of("odd names"))[1:], ["select", "order", "CamelCase", "with space", "dotted.name", 'quote"d', "ünïcode"])


@check("SQLAlchemy reads defaults and identities", "postgres")
def _():
    equal(columns_of("orders")["status"]["default"], "'new'::text")
    equal(columns_of("scratch")["n"]["default"], "7")
    holds(columns_of("orders")["id"].get("identity") is not None, columns_of("orders")["id"])


@check("SQLAlchemy reads primary keys")
def _():
    equal(inspector().get_pk_constraint("orders", schema="main")["constrained_columns"], ["id"])
    equal(inspector().get_pk_constraint("order_items", schema="main")["constrained_columns"], ["order_id", "product_id"])


@check("SQLAlchemy reads foreign keys")
def _():
    keys = inspector().get_foreign_keys("orders", schema="main")
    found = {(key["constrained_columns"][0], key["referred_schema"], key["referred_table"], key["referred_columns"][0]) for key in keys}
    equal(found, {("customer_id", "main", "customers", "id"), ("employee_id", "main", "employees", "id")})


@check("SQLAlchemy reads what happens to referring rows", "postgres")
def _():
    keys = {key["referred_table"]: key["options"] for key in inspector().get_foreign_keys("reviews", schema="main")}
    equal(keys, {"products": {"ondelete": "CASCADE"}, "customers": {"ondelete": "SET NULL"}})


@check("SQLAlchemy reads unique constraints")
def _():
    found = [constraint["column_names"] for constraint in inspector().get_unique_constraints("products", schema="main")]
    equal(found, [["sku"]])
    found = inspector().get_unique_constraints("memberships", schema="main")
    equal(sorted(constraint["column_names"] for constraint in found), [["email"], ["team", "member"]])


@check("SQLAlchemy reads check constraints", "postgres")
def _():
    found = inspector().get_check_constraints("stock", schema="main")
    equal(len(found), 2)


@check("SQLAlchemy reads indexes", "postgres")
def _():
    found = {index["name"]: index["column_names"] for index in inspector().get_indexes("orders", schema="main")}
    equal(found, {"orders_customer_id_idx": ["customer_id"]})


@check("SQLAlchemy reads the names of constraints", "postgres")
def _():
    equal(inspector().get_pk_constraint("orders", schema="main")["name"], "orders_pkey")
    equal(inspector().get_unique_constraints("products", schema="main")[0]["name"], "products_sku_key")


@check("SQLAlchemy reads comments", "postgres")
def _():
    equal(inspector().get_table_comment("orders", schema="main")["text"], "What customers ordered")
    equal(columns_of("orders")["freight"]["comment"], "In euros")


@check("SQLAlchemy reads tables without comments")
def _():
    equal(inspector().get_table_comment("tags", schema="main")["text"], None)


@check("SQLAlchemy reads enums", "postgres")
def _():
    [mood] = [enum for enum in inspector().get_enums(schema="main") if enum["name"] == "mood"]
    equal(mood["labels"], ["sad", "ok", "happy"])
    equal(columns_of("pg_only")["current_mood"]["type"].enums, ["sad", "ok", "happy"])


@check("SQLAlchemy reads arrays, intervals and domains", "postgres")
def _():
    columns = columns_of("pg_only")
    holds(isinstance(columns["numbers"]["type"], postgresql.ARRAY), columns["numbers"]["type"])
    holds(isinstance(columns["span"]["type"], postgresql.INTERVAL), columns["span"]["type"])
    holds(isinstance(columns["f4"]["type"], postgresql.REAL), columns["f4"]["type"])


@check("SQLAlchemy reads view columns")
def _():
    equal(list(columns_of("customer_totals")), ["customer_id", "company_name", "country", "order_count", "last_order_at"])


@check("SQLAlchemy reflects the whole schema")
def _():
    metadata = sqlalchemy.MetaData()
    metadata.reflect(ENGINE, schema="main")
    orders = metadata.tables["main.orders"]
    equal({key.column.table.name for key in orders.foreign_keys}, {"customers", "employees"})
    holds(len(metadata.tables) >= len(TABLES))


@check("SQLAlchemy names a table that it cannot reflect")
def _():
    raised(sqlalchemy.exc.NoSuchTableError, lambda: sqlalchemy.Table("nowhere", sqlalchemy.MetaData(), schema="main", autoload_with=ENGINE))
