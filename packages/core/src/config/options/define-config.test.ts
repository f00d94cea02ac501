/** What a configuration file may hold, and the messages when it holds something else; the compiler reads this file. */
import { expect, expectTypeOf, test } from 'vitest'
import { parseConfig } from '../parse/parse-config.ts'
import type { Config } from './config.ts'
import { defineConfig } from './define-config.ts'

interface Schema {
  'main.orders': {
    columns: { id: 'integer'; status: 'text' }
    relations: { customer: { table: 'main.customers'; many: false } }
  }
  'main.customers': { columns: { id: 'integer'; city: 'text' }; relations: Record<never, never> }
}

const connections = { main: 'shop.db' }
const own = { table: 'main.orders', roles: ['customer'], select: {} } as const

test('a configuration comes back as it is', () => {
  const config = { connections, permissions: { own } } as const
  expect(defineConfig(config)).toBe(config)
  expect(defineConfig<Schema>(config)).toBe(config)
  expectTypeOf(defineConfig(config)).toEqualTypeOf<Config>()
  defineConfig({ connections, permissions: [own] })
  defineConfig<Schema>({ connections, permissions: [{ ...own, name: 'own' }] })
})

test('wrong options are errors in the editor', () => {
  // @ts-expect-error no such option
  defineConfig({ connections, limit: {} })
  // @ts-expect-error connections are needed
  defineConfig({ permissions: {} })
  defineConfig({
    connections,
    // @ts-expect-error a list of roles
    permissions: { own: { table: 'main.orders', roles: 'customer', select: {} } },
  })
  defineConfig({
    connections,
    // @ts-expect-error no such operator
    permissions: { own: { ...own, select: { where: { id: { $greater: 1 } } } } },
  })
})

test('with a schema, wrong names in permissions are errors in the editor', () => {
  defineConfig<Schema>({
    connections,
    permissions: {
      own: { ...own, select: { columns: ['id'], where: { customer: { city: 'Oslo' } } } },
    },
  })
  defineConfig<Schema>({
    connections,
    // @ts-expect-error no such table
    permissions: { own: { ...own, table: 'main.order' } },
  })
  defineConfig<Schema>({
    connections,
    // @ts-expect-error no such column
    permissions: { own: { ...own, select: { columns: ['ids'] } } },
  })
  defineConfig<Schema>({
    connections,
    // @ts-expect-error an integer
    permissions: { own: { ...own, select: { where: { id: 'seven' } } } },
  })
})

function faultOf(config: unknown): unknown {
  try {
    return parseConfig(config)
  } catch (error) {
    return error instanceof Error ? error.message.split('\n')[1]?.trim() : error
  }
}

const form = '"export default defineConfig({ … })"'

test.each([
  ['a function', () => ({ connections }), `is a function: write ${form} with its result`],
  ['a promise', Promise.resolve({ connections }), 'is a promise: await it'],
  [
    'a module',
    { default: { connections } },
    'is a module: give its default export (import config from "./engine.config.ts")',
  ],
  [
    'a configuration by name',
    { config: { connections } },
    `stands in "config": write ${form}, and import it without braces`,
  ],
  ['an instance of a class', new (class Settings {})(), 'is no plain object'],
])('%s is no configuration', (_, value, message) => {
  expect(faultOf(value)).toBe(`configuration: ${message}`)
})

test.each(['port', 'host', 'stopDelay', 'workers'])('%s is an option of the server', (option) => {
  expect(faultOf({ connections, [option]: 1 })).toBe(
    `${option}: is an option of engine-server: in an application of your own the host listens`,
  )
})
