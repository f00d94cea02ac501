import { expect, test } from 'vitest'
import type { TargetTable } from './target-table.ts'
import { violationOf } from './violation.ts'

const tags: TargetTable = {
  name: 'tags',
  keys: new Map([
    ['PRIMARY', ['id']],
    ['name', ['name']],
    ['uq_both', ['name', 'shop']],
  ]),
  requiredDates: new Set(),
}

function serverError(errno: number, message: string): { errno: number; message: string } {
  return { errno, message }
}

test.each([
  [
    1062,
    "Duplicate entry '1' for key 'PRIMARY'",
    { table: 'tags', columns: ['id'], constraint: 'tags_pkey' },
  ],
  [
    1062,
    "Duplicate entry 'a' for key 'tags.name'",
    { table: 'tags', columns: ['name'], constraint: 'tags_name_key' },
  ],
  [
    1062,
    "Duplicate entry 'x' for key 'y'' for key 'name'",
    { table: 'tags', columns: ['name'], constraint: 'tags_name_key' },
  ],
  [
    1062,
    "Duplicate entry 'a-b' for key 'uq_both'",
    { table: 'tags', columns: ['name', 'shop'], constraint: 'tags_name_shop_key' },
  ],
  [
    1062,
    "Duplicate entry 'a' for key 'prefix'",
    { table: 'tags', columns: undefined, constraint: 'tags_prefix_key' },
  ],
  [
    1062,
    "Duplicate entry 'a' for key 'log.PRIMARY'",
    { table: 'log', columns: undefined, constraint: 'log_pkey' },
  ],
  [1048, "Column 'name' cannot be null", { table: 'tags', column: 'name' }],
  [1364, "Field 'name' doesn't have a default value", { table: 'tags', column: 'name' }],
  [
    1452,
    'Cannot add or update a child row: a foreign key constraint fails (`shop`.`orders`, CONSTRAINT `orders_ibfk_1` FOREIGN KEY (`customer_id`, `n`) REFERENCES `customers` (`id`, `n`))',
    { schema: 'shop', table: 'orders', constraint: 'orders_customer_id_n_fkey' },
  ],
  [
    1451,
    'Cannot delete or update a parent row: a foreign key constraint fails ("shop"."c", CONSTRAINT "c_ibfk_1" FOREIGN KEY ("p") REFERENCES "p" ("id"))',
    { schema: 'shop', table: 'c', constraint: 'c_p_fkey' },
  ],
  [
    4025,
    'CONSTRAINT "unit_price" failed for "shop"."products"',
    { schema: 'shop', table: 'products', constraint: 'unit_price' },
  ],
  [
    4025,
    'CONSTRAINT `products.unit_price` failed for `shop`.`products`',
    { schema: 'shop', table: 'products', constraint: 'unit_price' },
  ],
  [
    3819,
    "Check constraint 'products_chk_1' is violated.",
    { table: 'tags', constraint: 'products_chk_1' },
  ],
])('%d %s', (errno, message, violation) => {
  expect(violationOf(serverError(errno, message), tags)).toEqual(violation)
})

test('what names no table is told without one', () => {
  const duplicate = serverError(1062, "Duplicate entry '1' for key 'PRIMARY'")
  expect(violationOf(duplicate, undefined)).toEqual({ table: undefined })
  expect(violationOf(serverError(1213, 'Deadlock found'), tags)).toBeUndefined()
})
