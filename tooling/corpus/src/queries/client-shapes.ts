import { anyOrder, inOrder, type QueryCase, queries } from '../case.ts'

/** Plain statements in the exact spelling of Drizzle and Kysely. */
export const drizzleShapes: readonly QueryCase[] = queries('drizzle-shapes', [
  inOrder(
    'all columns',
    `select "id", "company_name", "contact_name", "email", "city", "country", "credit_limit", "active", "notes", "created_at", "updated_at" from {customers} order by "main"."customers"."id"`,
  ),
  inOrder(
    'every product column',
    `select "id", "name", "sku", "category_id", "supplier_id", "unit_price", "cost", "units_in_stock", "reorder_level", "discontinued", "weight_kg", "attributes", "created_at", "released_on", "external_id" from {products} order by "main"."products"."id"`,
  ),
  inOrder(
    'filters',
    `select "id" from {orders} where (("main"."orders"."status" = $1 and "main"."orders"."freight" > $2) or not ("main"."orders"."id" > $3 or "main"."orders"."customer_id" <> $4)) order by "main"."orders"."id"`,
    ['paid', '100', 50, 5],
  ),
  inOrder(
    'bare boolean',
    `select "id" from {reviews} where ("main"."reviews"."verified" and "main"."reviews"."id" > $1) order by "main"."reviews"."id"`,
    [150],
  ),
  inOrder(
    'negated boolean',
    `select "id" from {suppliers} where not "main"."suppliers"."active" order by "main"."suppliers"."id"`,
  ),
  inOrder(
    'in and not in',
    `select "id" from {orders} where ("main"."orders"."status" in ($1, $2) and "main"."orders"."customer_id" not in ($3, $4)) order by "main"."orders"."id"`,
    ['paid', 'new', 1, 2],
  ),
  inOrder('empty in', `select "id" from {orders} where false`),
  inOrder('empty not in', `select count(*) from {orders} where true`),
  inOrder(
    'in a subquery',
    `select "id" from {customers} where "main"."customers"."id" in (select "customer_id" from {orders} where "main"."orders"."freight" > $1) order by "main"."customers"."id"`,
    ['500'],
  ),
  inOrder(
    'between',
    `select "id" from {orders} where ("main"."orders"."id" between $1 and $2 and "main"."orders"."freight" not between $3 and $4) order by "main"."orders"."id"`,
    [1, 40, '5', '50'],
  ),
  inOrder(
    'null tests',
    `select "id" from {orders} where ("main"."orders"."employee_id" is null and "main"."orders"."freight" is not null) order by "main"."orders"."id"`,
  ),
  inOrder(
    'like family',
    `select "id" from {customers} where ("main"."customers"."company_name" like $1 or "main"."customers"."company_name" not ilike $2) order by "main"."customers"."id"`,
    ['A%', '%e%'],
  ),
  inOrder(
    'exists',
    `select "id" from {customers} where exists (select 1 from {reviews} where ("main"."reviews"."customer_id" = "main"."customers"."id" and "main"."reviews"."rating" = $1)) order by "main"."customers"."id"`,
    [5],
  ),
  inOrder(
    'order by nulls first',
    `select "id" from {orders} order by "main"."orders"."freight" asc nulls first, "main"."orders"."id" desc limit $1 offset $2`,
    [10, 5],
  ),
  inOrder(
    'distinct',
    `select distinct "country" from {customers} order by "main"."customers"."country"`,
  ),
  inOrder(
    'left join',
    `select "main"."orders"."id", "main"."customers"."id", "main"."customers"."company_name" from {orders} left join {customers} on "main"."orders"."customer_id" = "main"."customers"."id" order by "main"."orders"."id" limit $1`,
    [20],
  ),
  inOrder(
    'joins of each kind',
    `select "main"."orders"."id", "mgr"."id", "main"."customers"."id" from {orders} inner join {customers} on "main"."customers"."id" = "main"."orders"."customer_id" full join {employees} "mgr" on "mgr"."id" = "main"."orders"."employee_id" order by "mgr"."id", "main"."orders"."id"`,
  ),
  inOrder(
    'lateral subquery',
    `select "main"."customers"."id", "top2"."id" from {customers} left join lateral (select "id", "freight" from {orders} where "main"."orders"."customer_id" = "main"."customers"."id" order by "main"."orders"."id" desc limit $1) "top2" on true order by "main"."customers"."id", "top2"."id"`,
    [2],
  ),
  inOrder(
    'subquery in from',
    `select "id", "unit_price" from (select "id", "unit_price" from {products} where "main"."products"."unit_price" > $1) "sq" order by "sq"."unit_price" desc, "sq"."id"`,
    ['100'],
  ),
  inOrder(
    'aliased expressions referenced bare',
    `select "id", "rn" from (select "id", row_number() over (partition by "main"."orders"."customer_id" order by "main"."orders"."id") as "rn" from {orders}) "sq" where "rn" <= $1 order by "sq"."id"`,
    [1],
  ),
  inOrder(
    'scalar subquery without a name',
    `select "id", (select count(*) from {products} where "main"."products"."category_id" = "main"."categories"."id") from {categories} order by "main"."categories"."id"`,
  ),
  inOrder(
    'CTE joined',
    `with "a" as (select "customer_id", count(*) as "n" from {orders} group by "main"."orders"."customer_id"), "b" as (select max("n") as "top" from "a") select "a"."customer_id", "n", "top" from "a" inner join "b" on "n" <= "top" order by "a"."customer_id"`,
  ),
  inOrder(
    'CTE repeated inside',
    `with "a" as (select count(*) as "n" from {orders} group by "main"."orders"."customer_id"), "b" as (with "a" as (select count(*) as "n" from {orders} group by "main"."orders"."customer_id") select max("n") as "top" from "a") select "top" from "b"`,
  ),
  inOrder(
    'set operation',
    `(select "country" from {customers}) union (select "country" from {suppliers}) order by 1 limit $1`,
    [5],
  ),
  inOrder(
    'set operation all',
    `(select "id" from {tags}) union all (select "id" from {categories}) order by 1`,
  ),
  inOrder(
    'aggregates',
    `select "status", count(*), count("main"."orders"."freight"), count(distinct "main"."orders"."customer_id"), sum("main"."orders"."freight"), avg("main"."orders"."freight"), min("main"."orders"."order_date"), max("main"."orders"."total_cents") from {orders} group by "main"."orders"."status" having count(*) > $1 order by "main"."orders"."status"`,
    [10],
  ),
  inOrder(
    'distinct aggregates',
    `select sum(distinct "main"."order_items"."quantity"), avg(distinct "main"."order_items"."quantity") from {order_items}`,
  ),
  inOrder(
    'raw fields',
    `select "id", "unit_price"::int, cast("id" as text), "name" || '!', coalesce("cost", 0), nullif("units_in_stock", 0), round("unit_price", 1), "units_in_stock" % 3, "units_in_stock" / 3 from {products} order by "main"."products"."id"`,
  ),
  inOrder(
    'raw dates',
    `select "id", extract(year from "order_date"), date_trunc('month', "order_date"), to_char("order_date", 'YYYY-MM') from {orders} where "main"."orders"."order_date" > timestamp '2024-06-01' and "main"."orders"."order_date" < now() - interval '90 days' order by "main"."orders"."id"`,
  ),
  inOrder(
    'raw aggregates',
    `select count(*) filter (where "status" = 'paid'), string_agg("status", ',' order by "id") from {orders} where "main"."orders"."id" < $1`,
    [10],
  ),
  inOrder(
    'raw json',
    `select "id", "attributes"->>'color', "attributes"->'dims'->>'h', "attributes" #>> '{tags,0}', jsonb_typeof("attributes") from {products} where "attributes"->>'color' = $1 order by "main"."products"."id"`,
    ['blue'],
  ),
  inOrder(
    'raw windows',
    `select "id", sum("freight") over (order by "id" rows between unbounded preceding and current row), lag("status") over (order by "id"), dense_rank() over (order by "status") from {orders} order by "main"."orders"."id"`,
  ),
  inOrder(
    'raw comparisons are booleans',
    `select "id", "freight" > 10, "notes" is null, "status" = 'paid' from {orders} order by "main"."orders"."id" limit 20`,
  ),
  inOrder('locks', `select "id" from {tags} where "main"."tags"."id" = $1 for update`, [3]),
  inOrder(
    'count of a subquery',
    `select count(*) from (select distinct "customer_id" from {orders}) "sq"`,
  ),
  anyOrder('unordered page', `select "id" from {tags} limit $1`, [100]),
])

export const kyselyShapes: readonly QueryCase[] = queries('kysely-shapes', [
  inOrder('selectAll', `select * from {tags} order by "id"`),
  inOrder('selectAll of a table', `select "main"."tags".* from {tags} order by "main"."tags"."id"`),
  inOrder(
    'aliases with AS',
    `select "o"."id" as "orderId", "c"."company_name" as "name" from {orders} as "o" inner join {customers} as "c" on "c"."id" = "o"."customer_id" where "o"."status" = $1 order by "o"."id"`,
    ['paid'],
  ),
  inOrder(
    'unqualified columns',
    `select "id", "status" from {orders} where "customer_id" = $1 and "freight" >= $2 order by "id" limit $3`,
    [5, 1, 10],
  ),
  inOrder(
    'set operation without parentheses',
    `select "country" from {customers} union select "country" from {suppliers} order by "country"`,
  ),
  inOrder(
    'case with parameters',
    `select "id", case when "units_in_stock" = $1 then $2 when "units_in_stock" < $3 then $4 else $5 end as "level" from {products} order by "id"`,
    [0, 'none', 20, 'few', 'many'],
  ),
  inOrder(
    'filter',
    `select count(*) filter(where "status" = $1) as "paid", count("id") as "all" from {orders}`,
    ['paid'],
  ),
  inOrder(
    'over',
    `select "id", row_number() over(partition by "customer_id" order by "order_date" desc, "id") as "rn" from {orders} order by "id"`,
  ),
  inOrder(
    'recursive',
    `with recursive "t"("id", "name") as (select "id", "name" from {categories} where "parent_id" is null union all select "c"."id", "c"."name" from {categories} as "c" inner join "t" on "t"."id" = "c"."parent_id") select * from "t" order by "id"`,
  ),
  inOrder(
    'distinct on',
    `select distinct on ("customer_id") "customer_id", "id" from {orders} order by "customer_id", "id" desc`,
  ),
  inOrder(
    'tuple in',
    `select "order_id", "product_id" from {order_items} where ("order_id", "product_id") in (($1, $2), ($3, $4)) order by 1, 2`,
    [10, 39, 10, 49],
  ),
  inOrder(
    'any with an array parameter',
    `select "id" from {orders} where "id" = any($1) order by "id"`,
    [[3, 1, 2]],
  ),
  inOrder(
    'in list',
    `select "id" from {orders} where "id" in ($1, $2, $3) order by "id"`,
    [9, 8, 7],
  ),
  inOrder(
    'between and not',
    `select "id" from {orders} where not "id" between $1 and $2 order by "id" limit $3`,
    [3, 290, 5],
  ),
  inOrder(
    'left join lateral',
    `select "c"."id", "x"."freight" from {customers} as "c" left join lateral (select "o"."freight" from {orders} as "o" where "o"."customer_id" = "c"."id" order by "o"."id" limit $1) as "x" on true order by "c"."id"`,
    [1],
  ),
  inOrder(
    'having',
    `select "customer_id", sum("freight") as "total" from {orders} group by "customer_id" having sum("freight") > $1 order by "total" desc, "customer_id"`,
    ['1000'],
  ),
  inOrder(
    'coalesce, lower and concat',
    `select coalesce("city", $1) as "city", lower("country") as "country", concat("company_name", $2::text, "country") as "label" from {customers} order by "id"`,
    ['unknown', ' / '],
  ),
  inOrder(
    'exists',
    `select "id" from {products} as "p" where exists (select "r"."id" from {reviews} as "r" where "r"."product_id" = "p"."id" and "r"."rating" > $1) order by "id"`,
    [4],
  ),
  inOrder(
    'json reference',
    `select "id", "attributes"->>'color' as "color", "attributes"->'tags'->0 as "first" from {products} order by "id"`,
  ),
  inOrder(
    'fetch',
    `select "id" from {orders} order by "id" offset $1 fetch next $2 rows only`,
    [5, 3],
  ),
  inOrder(
    'values table',
    `select "v"."a", "t"."name" from (values ($1::int), ($2::int)) as "v"("a") left join {tags} as "t" on "t"."id" = "v"."a" order by "v"."a"`,
    [2, 200],
  ),
])
