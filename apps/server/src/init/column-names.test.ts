import { expect, test } from 'vitest'
import { looksSecret } from './column-names.ts'

test.each(['cost', 'unitCost', 'cost_price', 'purchase_price', 'profit_margin', 'iban'])(
  'what is not for customers is left out: %s',
  (column) => expect(looksSecret(column)).toBe(true),
)

test.each([
  'price',
  'unit_price',
  'shipping_cost',
  'replacement_cost',
  'cost_center',
  'marginalia',
])('what customers see is not: %s', (column) => expect(looksSecret(column)).toBe(false))
