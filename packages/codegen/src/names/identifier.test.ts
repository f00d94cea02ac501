import fc from 'fast-check'
import { expect, test } from 'vitest'
import { camelCase, pascalCase } from './identifier.ts'
import { createNameSpace } from './name-space.ts'

test.each([
  ['order_items', 'orderItems', 'OrderItems'],
  ['orders', 'orders', 'Orders'],
  ['ORDERS', 'orders', 'ORDERS'],
  ['OrderItems', 'orderItems', 'OrderItems'],
  ['user-data.v2', 'userDataV2', 'UserDataV2'],
  ['2fa codes', '_2faCodes', '_2faCodes'],
  ['Bücher', 'bucher', 'Bucher'],
  ['__proto__', 'proto', 'Proto'],
  ['表', 'table', 'Table'],
  ['🙂', 'table', 'Table'],
  ['', 'table', 'Table'],
])('%j is %s and %s', (name, camel, pascal) => {
  expect(camelCase(name, 'table')).toBe(camel)
  expect(pascalCase(name, 'Table')).toBe(pascal)
})

test('every name becomes an identifier', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.nat({ max: 0xffff }).map((code) => String.fromCharCode(code)) }),
      (name) => {
        expect(camelCase(name, 'table')).toMatch(/^[A-Za-z_][A-Za-z0-9_]*$/)
        expect(pascalCase(name, 'Table')).toMatch(/^[A-Za-z_][A-Za-z0-9_]*$/)
      },
    ),
  )
})

test('a name is given once', () => {
  const names = createNameSpace(['class'])
  expect(names.take('orders')).toBe('orders')
  expect(names.take('orders')).toBe('orders2')
  expect(names.take('orders', 'mainOrders')).toBe('mainOrders')
  expect(names.take('orders', 'mainOrders')).toBe('mainOrders2')
  expect(names.take('orders2')).toBe('orders22')
  expect(names.take('class')).toBe('class2')
})

test('two names that belong together are free together', () => {
  const names = createNameSpace(['OrdersInsert'])
  expect(names.takeWith('Orders', 'Insert')).toBe('Orders2')
  expect(names.takeWith('Notes', 'Insert')).toBe('Notes')
  expect(names.take('NotesInsert')).toBe('NotesInsert2')
})
