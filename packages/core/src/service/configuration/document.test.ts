import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Config } from '../../config/options/config.ts'
import { documentFaults, documentOf, withDocument } from './document.ts'

const run = () => ({})

const code: Config = {
  mode: 'interactive',
  masterKey: 'a master key of at least thirty-two bytes',
  connections: { main: { url: 'shop.db', readOnly: true } },
  permissions: [
    { table: 'main.b', roles: ['r'], select: {}, name: 'b' },
    { table: 'main.a', roles: ['r'], select: { where: { id: { $eq: 7n } } } },
  ],
  limits: { maxRows: 5, rateLimitStore: 'redis://cache.test' },
  actions: {
    one: { roles: ['r'], input: z.object({}), run },
    two: { roles: ['r'], input: z.object({}), run },
  },
}

test('the document of a configuration holds its stored options as JSON, with names in order', () => {
  expect(JSON.stringify(documentOf(code))).toBe(
    JSON.stringify({
      connections: { main: { readOnly: true, url: 'shop.db' } },
      permissions: {
        b: { name: 'b', roles: ['r'], select: {}, table: 'main.b' },
        'permission-2': { roles: ['r'], select: { where: { id: { $eq: 7 } } }, table: 'main.a' },
      },
      limits: { maxRows: 5 },
    }),
  )
})

test('a large integer stays exact as a text', () => {
  const config: Config = {
    connections: {},
    permissions: { a: { table: 'main.a', roles: ['r'], select: { where: { id: 2n ** 60n } } } },
  }
  expect(JSON.stringify(documentOf(config))).toContain('"1152921504606846976"')
})

test('a value that is not JSON cannot be stored', () => {
  const config = { connections: { main: new Date() } } as unknown as Config
  expect(() => documentOf(config)).toThrow('connections.main: cannot be stored')
})

test('a document replaces its options, and leaves all others to the code', () => {
  const { masterKey, connections, permissions, limits } = withDocument(code, {
    connections: { other: 'other.db' },
    limits: { maxRows: 6 },
  })
  expect({ masterKey, connections, permissions, limits }).toEqual({
    masterKey: code.masterKey,
    connections: { other: 'other.db' },
    permissions: undefined,
    limits: { maxRows: 6, rateLimitStore: 'redis://cache.test' },
  })
})

test('switches end actions and change their roles; one of an unknown action has no effect', () => {
  const actions = { one: { enabled: false }, two: { roles: ['s'] }, gone: { enabled: true } }
  const { actions: left = {} } = withDocument(code, { actions })
  expect(Object.keys(left)).toEqual(['two'])
  expect(left['two']).toMatchObject({ roles: ['s'], run })
})

test('a document knows no options of the code, no others, and no unknown actions', () => {
  const document = {
    masterKey: 'x',
    permission: {},
    permissions: [],
    limits: { rateLimitStore: 'redis://other.test' },
    actions: { on: {}, two: { enabled: 1 } },
  }
  expect(documentFaults(document, code)).toEqual([
    { path: 'masterKey', message: 'is defined in code: leave it out' },
    { path: 'permission', message: 'unknown key; did you mean "permissions"?' },
    { path: 'permissions', message: 'expects permissions by name' },
    { path: 'limits.rateLimitStore', message: 'is defined in code: leave it out' },
    { path: 'actions.on', message: 'code defines no such action; did you mean "one"?' },
    { path: 'actions.two.enabled', message: 'expected boolean, received number' },
  ])
  expect(documentFaults([], code)).toHaveLength(1)
})
