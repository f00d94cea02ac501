import { inOrder, type QueryCase, queries } from '../case.ts'

/** The statements of Drizzle 0.45 for `db.query.*.findMany({ with })`. */
export const drizzleRelationsV1: readonly QueryCase[] = queries('drizzle-relations-v1', [
  inOrder(
    'to-many',
    `select "customers"."id", "customers"."company_name", "customers_orders"."data" as "orders" from {customers} "customers" left join lateral (select coalesce(json_agg(json_build_array("customers_orders"."id", "customers_orders"."status", "customers_orders"."total_cents") order by "customers_orders"."id" asc), '[]'::json) as "data" from (select * from {orders} "customers_orders" where "customers_orders"."customer_id" = "customers"."id" order by "customers_orders"."id" asc) "customers_orders") "customers_orders" on true order by "customers"."id" asc`,
  ),
  inOrder(
    'to-many of every column',
    `select "customers"."id", "customers_orders"."data" as "orders" from {customers} "customers" left join lateral (select coalesce(json_agg(json_build_array("customers_orders"."id", "customers_orders"."customer_id", "customers_orders"."employee_id", "customers_orders"."status", "customers_orders"."freight", "customers_orders"."total_cents", "customers_orders"."order_date", "customers_orders"."paid_at", "customers_orders"."shipped_on", "customers_orders"."ship_city", "customers_orders"."notes") order by "customers_orders"."id" asc), '[]'::json) as "data" from (select * from {orders} "customers_orders" where "customers_orders"."customer_id" = "customers"."id" order by "customers_orders"."id" asc) "customers_orders") "customers_orders" on true order by "customers"."id" asc limit $1`,
    [20],
  ),
  inOrder(
    'to-many with where, order and limit',
    `select "customers"."id", "customers_orders"."data" as "orders" from {customers} "customers" left join lateral (select coalesce(json_agg(json_build_array("customers_orders"."id", "customers_orders"."order_date") order by "customers_orders"."order_date" desc, "customers_orders"."id" asc), '[]'::json) as "data" from (select * from {orders} "customers_orders" where ("customers_orders"."customer_id" = "customers"."id" and "customers_orders"."status" = $1) order by "customers_orders"."order_date" desc, "customers_orders"."id" asc limit $2) "customers_orders") "customers_orders" on true where "customers"."country" = $3 order by "customers"."id" asc`,
    ['paid', 2, 'Germany'],
  ),
  inOrder(
    'to-one',
    `select "orders"."id", "orders_customer"."data" as "customer" from {orders} "orders" left join lateral (select json_build_array("orders_customer"."id", "orders_customer"."company_name", "orders_customer"."active", "orders_customer"."credit_limit") as "data" from (select * from {customers} "orders_customer" where "orders_customer"."id" = "orders"."customer_id" limit $1) "orders_customer") "orders_customer" on true order by "orders"."id" asc limit $2`,
    [1, 50],
  ),
  inOrder(
    'to-one that is missing',
    `select "orders"."id", "orders_employee"."data" as "employee" from {orders} "orders" left join lateral (select json_build_array("orders_employee"."id", "orders_employee"."last_name") as "data" from (select * from {employees} "orders_employee" where "orders_employee"."id" = "orders"."employee_id" limit $1) "orders_employee") "orders_employee" on true order by "orders"."id" asc`,
    [1],
  ),
  inOrder(
    'one-to-one',
    `select "customers"."id", "customers_profile"."data" as "profile" from {customers} "customers" left join lateral (select json_build_array("customers_profile"."bio", "customers_profile"."newsletter", "customers_profile"."preferences", "customers_profile"."birthday") as "data" from (select * from {customer_profiles} "customers_profile" where "customers_profile"."customer_id" = "customers"."id" limit $1) "customers_profile") "customers_profile" on true order by "customers"."id" asc`,
    [1],
  ),
  inOrder(
    'two relations',
    `select "orders"."id", "orders_customer"."data" as "customer", "orders_items"."data" as "items" from {orders} "orders" left join lateral (select json_build_array("orders_customer"."company_name") as "data" from (select * from {customers} "orders_customer" where "orders_customer"."id" = "orders"."customer_id" limit $1) "orders_customer") "orders_customer" on true left join lateral (select coalesce(json_agg(json_build_array("orders_items"."product_id", "orders_items"."quantity", "orders_items"."unit_price") order by "orders_items"."product_id" asc), '[]'::json) as "data" from (select * from {order_items} "orders_items" where "orders_items"."order_id" = "orders"."id" order by "orders_items"."product_id" asc) "orders_items") "orders_items" on true where "orders"."id" < $2 order by "orders"."id" asc`,
    [1, 40],
  ),
  inOrder(
    'depth three',
    `select "customers"."id", "customers_orders"."data" as "orders" from {customers} "customers" left join lateral (select coalesce(json_agg(json_build_array("customers_orders"."id", "customers_orders"."total_cents", "customers_orders_items"."data") order by "customers_orders"."id" asc), '[]'::json) as "data" from (select * from {orders} "customers_orders" where "customers_orders"."customer_id" = "customers"."id" order by "customers_orders"."id" asc) "customers_orders" left join lateral (select coalesce(json_agg(json_build_array("customers_orders_items"."quantity", "customers_orders_items_product"."data") order by "customers_orders_items"."product_id" asc), '[]'::json) as "data" from (select * from {order_items} "customers_orders_items" where "customers_orders_items"."order_id" = "customers_orders"."id" order by "customers_orders_items"."product_id" asc) "customers_orders_items" left join lateral (select json_build_array("customers_orders_items_product"."name") as "data" from (select * from {products} "customers_orders_items_product" where "customers_orders_items_product"."id" = "customers_orders_items"."product_id" limit $1) "customers_orders_items_product") "customers_orders_items_product" on true) "customers_orders_items" on true) "customers_orders" on true order by "customers"."id" asc limit $2`,
    [1, 12],
  ),
  inOrder(
    'depth two without order',
    `select "orders"."id", "orders_items"."data" as "items" from {orders} "orders" left join lateral (select coalesce(json_agg(json_build_array("orders_items"."quantity")), '[]'::json) as "data" from {order_items} "orders_items" where ("orders_items"."order_id" = "orders"."id" and "orders_items"."product_id" = $1)) "orders_items" on true order by "orders"."id"`,
    [10],
  ),
  inOrder(
    'many-to-many through the junction',
    `select "products"."id", "products_productTags"."data" as "productTags" from {products} "products" left join lateral (select coalesce(json_agg(json_build_array("products_productTags"."tag_id", "products_productTags_tag"."data") order by "products_productTags"."tag_id" asc), '[]'::json) as "data" from (select * from {product_tags} "products_productTags" where "products_productTags"."product_id" = "products"."id" order by "products_productTags"."tag_id" asc) "products_productTags" left join lateral (select json_build_array("products_productTags_tag"."name") as "data" from (select * from {tags} "products_productTags_tag" where "products_productTags_tag"."id" = "products_productTags"."tag_id" limit $1) "products_productTags_tag") "products_productTags_tag" on true) "products_productTags" on true order by "products"."id" asc`,
    [1],
  ),
  inOrder(
    'self relation',
    `select "employees"."id", "employees"."last_name", "employees_manager"."data" as "manager", "employees_reports"."data" as "reports" from {employees} "employees" left join lateral (select json_build_array("employees_manager"."id", "employees_manager"."last_name") as "data" from (select * from {employees} "employees_manager" where "employees_manager"."id" = "employees"."manager_id" limit $1) "employees_manager") "employees_manager" on true left join lateral (select coalesce(json_agg(json_build_array("employees_reports"."id") order by "employees_reports"."id" asc), '[]'::json) as "data" from (select * from {employees} "employees_reports" where "employees_reports"."manager_id" = "employees"."id" order by "employees_reports"."id" asc) "employees_reports") "employees_reports" on true order by "employees"."id" asc`,
    [1],
  ),
  inOrder(
    'extras',
    `select "products"."id", (lower("products"."name")) as "lowered", "products_reviews"."data" as "reviews" from {products} "products" left join lateral (select coalesce(json_agg(json_build_array("products_reviews"."id", "products_reviews"."verified", "products_reviews"."recommended", length("products_reviews"."body")) order by "products_reviews"."id" asc), '[]'::json) as "data" from (select *, length("products_reviews"."body") as "size" from {reviews} "products_reviews" where "products_reviews"."product_id" = "products"."id" order by "products_reviews"."id" asc) "products_reviews") "products_reviews" on true order by "products"."id" asc`,
  ),
  inOrder(
    'findFirst',
    `select "orders"."id", "orders"."status", "orders_items"."data" as "items" from {orders} "orders" left join lateral (select coalesce(json_agg(json_build_array("orders_items"."product_id", "orders_items"."discount") order by "orders_items"."product_id" asc), '[]'::json) as "data" from (select * from {order_items} "orders_items" where "orders_items"."order_id" = "orders"."id" order by "orders_items"."product_id" asc) "orders_items") "orders_items" on true where "orders"."id" = $1 limit $2`,
    [7, 1],
  ),
  inOrder(
    'where exists on the parent',
    `select "customers"."id", "customers_reviews"."data" as "reviews" from {customers} "customers" left join lateral (select coalesce(json_agg(json_build_array("customers_reviews"."id", "customers_reviews"."created_at") order by "customers_reviews"."id" desc), '[]'::json) as "data" from (select * from {reviews} "customers_reviews" where "customers_reviews"."customer_id" = "customers"."id" order by "customers_reviews"."id" desc limit $1) "customers_reviews") "customers_reviews" on true where exists (select 1 from {orders} where ("main"."orders"."customer_id" = "customers"."id" and "main"."orders"."freight" > $2)) order by "customers"."id" asc limit $3 offset $4`,
    [2, '100', 10, 2],
  ),
  inOrder(
    'offset inside a relation',
    `select "categories"."id", "categories_products"."data" as "products" from {categories} "categories" left join lateral (select coalesce(json_agg(json_build_array("categories_products"."id", "categories_products"."unit_price", "categories_products"."attributes") order by "categories_products"."unit_price" desc, "categories_products"."id" asc), '[]'::json) as "data" from (select * from {products} "categories_products" where "categories_products"."category_id" = "categories"."id" order by "categories_products"."unit_price" desc, "categories_products"."id" asc limit $1 offset $2) "categories_products") "categories_products" on true order by "categories"."id" asc`,
    [3, 1],
  ),
])

/** The statements of Drizzle 1.0 for relations defined with `defineRelations`. */
export const drizzleRelationsV2: readonly QueryCase[] = queries('drizzle-relations-v2', [
  inOrder(
    'to-many',
    `select "d0"."id" as "id", "orders"."r" as "orders" from {customers} as "d0" left join lateral(select coalesce(json_agg(row_to_json("t".*)), '[]') as "r" from (select "d1"."id" as "id", "d1"."status" as "status", "d1"."freight"::text as "freight", "d1"."total_cents"::text as "totalCents", "d1"."order_date"::text as "orderDate", "d1"."paid_at"::text as "paidAt" from {orders} as "d1" where "d0"."id" = "d1"."customer_id" order by "d1"."id" asc) as "t") as "orders" on true order by "d0"."id" asc`,
  ),
  inOrder(
    'to-many without casts',
    `select "d0"."id" as "id", "orders"."r" as "orders" from {customers} as "d0" left join lateral(select coalesce(json_agg(row_to_json("t".*)), '[]') as "r" from (select "d1"."id" as "id", "d1"."freight" as "freight", "d1"."total_cents" as "totalCents", "d1"."order_date" as "orderDate", "d1"."paid_at" as "paidAt", "d1"."shipped_on" as "shippedOn" from {orders} as "d1" where "d0"."id" = "d1"."customer_id" order by "d1"."id" asc) as "t") as "orders" on true order by "d0"."id" asc`,
  ),
  inOrder(
    'paged parent',
    `select "d0"."id" as "id", "orders"."r" as "orders", "profile"."r" as "profile" from (select "d0".* from {customers} as "d0" order by "d0"."id" asc limit $1) as "d0" left join lateral(select coalesce(json_agg(row_to_json("t".*)), '[]') as "r" from (select "d1"."id" as "id", "items"."r" as "items" from {orders} as "d1" left join lateral(select coalesce(json_agg(row_to_json("t".*)), '[]') as "r" from (select "d2"."quantity" as "quantity", "product"."r" as "product" from {order_items} as "d2" left join lateral(select row_to_json("t".*) "r" from (select "d3"."id" as "id", "d3"."name" as "name", "d3"."discontinued" as "discontinued" from {products} as "d3" where "d2"."product_id" = "d3"."id" limit $2) as "t") as "product" on true where "d1"."id" = "d2"."order_id" order by "d2"."product_id" asc) as "t") as "items" on true where "d0"."id" = "d1"."customer_id" order by "d1"."id" asc) as "t") as "orders" on true left join lateral(select row_to_json("t".*) "r" from (select "d1"."bio" as "bio", "d1"."preferences" as "preferences" from {customer_profiles} as "d1" where "d0"."id" = "d1"."customer_id" limit $3) as "t") as "profile" on true order by "d0"."id" asc`,
    [10, 1, 1],
  ),
  inOrder(
    'to-one that is missing',
    `select "d0"."id" as "id", "employee"."r" as "employee" from {orders} as "d0" left join lateral(select row_to_json("t".*) "r" from (select "d1"."id" as "id", "d1"."last_name" as "lastName", "d1"."active" as "active" from {employees} as "d1" where "d0"."employee_id" = "d1"."id" limit $1) as "t") as "employee" on true order by "d0"."id" asc limit $2`,
    [1, 60],
  ),
  inOrder(
    'many-to-many',
    `select "d0"."id" as "id", "tags"."r" as "tags" from {products} as "d0" left join lateral(select coalesce(json_agg(row_to_json("t".*)), '[]') as "r" from (select "d1"."id" as "id", "d1"."name" as "name" from {tags} as "d1" inner join {product_tags} as "tr0" on "tr0"."tag_id" = "d1"."id" where "d0"."id" = "tr0"."product_id" order by "d1"."name" asc) as "t") as "tags" on true order by "d0"."id" asc`,
  ),
  inOrder(
    'relation filter',
    `select "d0"."id" as "id", "d0"."company_name" as "companyName" from {customers} as "d0" where exists (select * from {orders} as "f0" where (("d0"."id" = "f0"."customer_id") and ("f0"."status" = $1))) order by "d0"."id" asc`,
    ['paid'],
  ),
  inOrder(
    'negated relation filter',
    `select "d0"."id" as "id" from {customers} as "d0" where (not exists (select * from {orders} as "f0" where ("d0"."id" = "f0"."customer_id"))) order by "d0"."id" asc`,
  ),
  inOrder(
    'nested relation filter',
    `select "d0"."id" as "id" from {customers} as "d0" where exists (select * from {orders} as "f0" where (("d0"."id" = "f0"."customer_id") and exists (select * from {order_items} as "f1" where (("f0"."id" = "f1"."order_id") and ("f1"."quantity" > $1))))) order by "d0"."id" asc`,
    [50],
  ),
  inOrder(
    'relation with where, order and limit',
    `select "d0"."id" as "id", "reviews"."r" as "reviews" from {products} as "d0" left join lateral(select coalesce(json_agg(row_to_json("t".*)), '[]') as "r" from (select "d1"."id" as "id", "d1"."rating" as "rating", "d1"."verified" as "verified", "d1"."created_at"::text as "createdAt" from {reviews} as "d1" where ("d0"."id" = "d1"."product_id" and "d1"."rating" >= $1) order by "d1"."rating" desc, "d1"."id" asc limit $2) as "t") as "reviews" on true where "d0"."id" <= $3 order by "d0"."id" asc`,
    [3, 2, 40],
  ),
  inOrder(
    'self relation',
    `select "d0"."id" as "id", "manager"."r" as "manager", "reports"."r" as "reports" from {employees} as "d0" left join lateral(select row_to_json("t".*) "r" from (select "d1"."id" as "id", "d1"."salary"::text as "salary" from {employees} as "d1" where "d0"."manager_id" = "d1"."id" limit $1) as "t") as "manager" on true left join lateral(select coalesce(json_agg(row_to_json("t".*)), '[]') as "r" from (select "d1"."id" as "id" from {employees} as "d1" where "d0"."id" = "d1"."manager_id" order by "d1"."id" asc) as "t") as "reports" on true order by "d0"."id" asc`,
    [1],
  ),
  inOrder(
    'extras',
    `select "d0"."id" as "id", (upper("d0"."name")) as "shout", "products"."r" as "products" from {categories} as "d0" left join lateral(select coalesce(json_agg(row_to_json("t".*)), '[]') as "r" from (select "d1"."id" as "id", ("d1"."unit_price" * 2) as "double" from {products} as "d1" where "d0"."id" = "d1"."category_id" order by "d1"."id" asc) as "t") as "products" on true order by "d0"."id" asc`,
  ),
  inOrder(
    'findFirst',
    `select "d0"."id" as "id", "d0"."status" as "status", "customer"."r" as "customer" from (select "d0".* from {orders} as "d0" where "d0"."id" = $1 limit $2) as "d0" left join lateral(select row_to_json("t".*) "r" from (select "d1"."company_name" as "companyName", "d1"."created_at" as "createdAt", "d1"."updated_at" as "updatedAt" from {customers} as "d1" where "d0"."customer_id" = "d1"."id" limit $3) as "t") as "customer" on true`,
    [9, 1, 1],
  ),
])

/** The statements of Kysely's jsonArrayFrom and jsonObjectFrom helpers. */
export const kyselyRelations: readonly QueryCase[] = queries('kysely-relations', [
  inOrder(
    'array from',
    `select "id", (select coalesce(json_agg(agg), '[]') from (select "product_id", "quantity", "unit_price" from {order_items} where "main"."order_items"."order_id" = "main"."orders"."id" order by "product_id") as agg) as "items" from {orders} order by "id"`,
  ),
  inOrder(
    'object from',
    `select "id", (select to_json(obj) from (select "company_name", "active", "created_at" from {customers} where "main"."customers"."id" = "main"."orders"."customer_id") as obj) as "customer" from {orders} order by "id"`,
  ),
  inOrder(
    'object from that is missing',
    `select "o"."id", (select to_json(obj) from (select "e"."last_name" from {employees} as "e" where "e"."id" = "o"."employee_id") as obj) as "employee" from {orders} as "o" order by "o"."id"`,
  ),
  inOrder(
    'nested',
    `select "c"."id", (select coalesce(json_agg(agg), '[]') from (select "o"."id", (select coalesce(json_agg(agg), '[]') from (select "i"."product_id", "i"."quantity" from {order_items} as "i" where "i"."order_id" = "o"."id" order by "i"."product_id") as agg) as "items" from {orders} as "o" where "o"."customer_id" = "c"."id" order by "o"."id") as agg) as "orders" from {customers} as "c" where "c"."id" < $1 order by "c"."id"`,
    [10],
  ),
  inOrder(
    'array and object',
    `select "p"."id", (select to_json(obj) from (select "c"."name" from {categories} as "c" where "c"."id" = "p"."category_id") as obj) as "category", (select coalesce(json_agg(agg), '[]') from (select "r"."rating", "r"."verified", "r"."recommended" from {reviews} as "r" where "r"."product_id" = "p"."id" order by "r"."id" limit $1) as agg) as "reviews" from {products} as "p" order by "p"."id"`,
    [3],
  ),
  inOrder(
    'array of every column',
    `select "id", (select coalesce(json_agg(agg), '[]') from (select * from {reviews} where "main"."reviews"."product_id" = "main"."products"."id" order by "id") as agg) as "reviews" from {products} where "id" < $1 order by "id"`,
    [15],
  ),
  inOrder(
    'build object',
    `select "id", json_build_object('first', "first_name", 'last', "last_name") as "name" from {employees} order by "id"`,
  ),
  inOrder(
    'to-many ordered by another column',
    `select "id", (select coalesce(json_agg(agg), '[]') from (select "id", "freight", "order_date" from {orders} as "o" where "o"."customer_id" = "main"."customers"."id" order by "o"."freight" desc nulls last, "o"."id" limit $1) as agg) as "orders" from {customers} order by "id"`,
    [2],
  ),
])
