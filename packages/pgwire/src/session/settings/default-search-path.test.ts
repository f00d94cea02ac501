import { expect, test } from 'vitest'
import { defaultSearchPath } from './default-search-path.ts'

type Connections = Parameters<typeof defaultSearchPath>[1]['connections']

const connection = (name: string, tables: number, isWhole = false) =>
  ({ name, isWhole, tables: Array.from({ length: tables }) }) as unknown as Connections[number]

const connections = [connection('shop', 2), connection('hidden', 0), connection('chinook', 1)]

test('the name of a connection chooses it', () => {
  expect(defaultSearchPath('chinook', { connections })).toEqual(['chinook'])
  const named = { connections, defaultConnection: 'shop' }
  expect(defaultSearchPath('chinook', named)).toEqual(['chinook'])
})

test.each(['anything', '', 'hidden', 'Chinook'])('%j means all connections', (database) => {
  expect(defaultSearchPath(database, { connections })).toEqual(['shop', 'chinook'])
})

test('the default connection is the first', () => {
  const named = { connections, defaultConnection: 'chinook' }
  expect(defaultSearchPath('anything', named)).toEqual(['chinook', 'shop'])
  const hidden = { connections, defaultConnection: 'hidden' }
  expect(defaultSearchPath('anything', hidden)).toEqual(['hidden', 'shop', 'chinook'])
})

test('a connection without tables is there for callers without restrictions', () => {
  const all = [connection('empty', 0, true), connection('shop', 1, true)]
  expect(defaultSearchPath('anything', { connections: all })).toEqual(['empty', 'shop'])
  expect(defaultSearchPath('empty', { connections: all })).toEqual(['empty'])
})
