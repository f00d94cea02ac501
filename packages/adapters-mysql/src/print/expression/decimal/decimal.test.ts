import { GatewayError } from '@engine/core/adapter'
import { createTypeSystem } from '@engine/core/catalog'
import { renderSql, type Sql, sql } from '@engine/core/print'
import { expect, test } from 'vitest'
import { traitsOf } from '../../../server/server-traits.ts'
import { createContext } from '../../statement/create-context.ts'
import { mariaDb } from '../../test-support/compiled-for-test.ts'
import { type Decimal, decimal, withScale } from './decimal.ts'
import { type Arithmetic, negative, productOf, sumOf } from './decimal-arithmetic.ts'

const text = (fragment: Sql) => renderSql(fragment, { kind: 'positional' }, '`').text

const arithmetic: Arithmetic = {
  context: createContext(
    {
      types: createTypeSystem(),
      tables: new Map(),
      usedColumns: new Map(),
      aliasPrefix: 't',
      oldConditions: [],
      nextId: () => 1,
    },
    traitsOf(mariaDb),
  ),
  canBeNamed: true,
}

const price: Decimal = decimal(() => sql`p`, 2, 8, 2)
const wide: Decimal = decimal(() => sql`w`, 30, 35, 30)

test('a sum has the greater scale, a product both together', () => {
  expect(
    sumOf(
      '+',
      price,
      decimal(() => sql`q`, 4, 6, 4),
      arithmetic,
    ).scale,
  ).toBe(4)
  expect(
    productOf(
      price,
      decimal(() => sql`q`, 4, 6, 4),
      arithmetic,
    ).scale,
  ).toBe(6)
})

test('the text of a decimal has its scale, whatever the server calculates with', () => {
  expect(text(price.text())).toBe(`replace(format(p, 2, 'en_US'), ',', '')`)
  expect(text(withScale(negative(price, arithmetic), 2))).toBe('cast((- p) as decimal(10, 2))')
})

test('a scale that differs by row is calculated beside the value', () => {
  const sent = decimal(
    () => sql`v`,
    () => sql`s`,
    22,
    16,
  )
  const { scale } = productOf(price, sent, arithmetic)
  expect(typeof scale === 'number' ? scale : text(scale())).toBe('(2 + s)')
})

test('digits that the server would drop are refused', () => {
  expect(() => productOf(wide, wide, arithmetic)).toThrow(GatewayError)
  expect(() => productOf(productOf(price, price, arithmetic), wide, arithmetic)).toThrow(
    'this many digits',
  )
})

test('a value that hardly ever has many digits is calculated with fewer', () => {
  const few = () => decimal(() => sql`f`, 16, 22, 16)
  const product = productOf(
    productOf(price, price, arithmetic),
    { ...wide, narrow: few },
    arithmetic,
  )
  expect(text(product.value())).toBe('((p * p) * f)')
})
