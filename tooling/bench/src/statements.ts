/** @module The measured statements, as the query builders emit them. */
import { sizes } from './bench-database.ts'

/** A point select by key. */
export const pointSelect = `select "id", "status", "total_cents", "freight", "order_date", "ship_city" from "main"."orders" where "main"."orders"."id" = $1`

/** A hundred rows of eight columns. */
export const pageSelect = `select "id", "tenant_id", "status", "total_cents", "freight", "order_date", "ship_city", "is_gift" from "main"."orders" where "main"."orders"."id" > $1 order by "main"."orders"."id" limit $2`

/** Rows of a page. */
export const pageSize = 100

/** The tenant of the caller: its rows are visible. */
export const tenant = 7

/** `count` different keys of the tenant's rows. */
export function tenantKeys(count: number): readonly number[] {
  return Array.from({ length: count }, (_, i) => tenant + i * sizes.tenants)
}

/** What Drizzle 0.45 sends for `customers` with `orders` with `items` with `product`: three nested laterals. */
export const relationalSelect = `select "customers"."id", "customers"."company_name", "customers"."country", "customers_orders"."data" as "orders" from "main"."customers" "customers" left join lateral (select coalesce(json_agg(json_build_array("customers_orders"."id", "customers_orders"."total_cents", "customers_orders_items"."data") order by "customers_orders"."id" asc), '[]'::json) as "data" from (select * from "main"."orders" "customers_orders" where "customers_orders"."customer_id" = "customers"."id" order by "customers_orders"."id" asc) "customers_orders" left join lateral (select coalesce(json_agg(json_build_array("customers_orders_items"."quantity", "customers_orders_items_product"."data") order by "customers_orders_items"."product_id" asc), '[]'::json) as "data" from (select * from "main"."order_items" "customers_orders_items" where "customers_orders_items"."order_id" = "customers_orders"."id" order by "customers_orders_items"."product_id" asc) "customers_orders_items" left join lateral (select json_build_array("customers_orders_items_product"."name") as "data" from (select * from "main"."products" "customers_orders_items_product" where "customers_orders_items_product"."id" = "customers_orders_items"."product_id" limit $1) "customers_orders_items_product") "customers_orders_items_product" on true) "customers_orders_items" on true) "customers_orders" on true order by "customers"."id" asc limit $2`
