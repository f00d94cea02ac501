import { describe, expect, test } from 'vitest'
import type { Catalog, Connection, Table } from '../../catalog/catalog.ts'
import { connectionOf } from './table-address.ts'

/** Three connections, each with the table `orders`. */
function catalog(defaultConnection?: string): Catalog {
  const connections = ['main', 'billing', 'lite'].map((name): [string, Connection] => [
    name,
    { name, tables: new Map([['orders', {} as Table]]) } as unknown as Connection,
  ])
  return { version: 1, connections: new Map(connections), defaultConnection }
}

describe('a statement without tables runs', () => {
  const where = (names: readonly string[], usable: readonly string[]) =>
    connectionOf([], catalog('main'), {
      names,
      mayUse: ({ name }: Connection) => usable.includes(name),
    }).name

  test('on the first connection of the path of which the caller may know something', () => {
    expect(where(['billing', 'lite'], ['lite'])).toBe('lite')
    expect(where(['nowhere', 'lite'], ['lite', 'main'])).toBe('lite')
  })

  test('on the default connection where there is none', () => {
    expect(where(['billing'], ['lite'])).toBe('main')
    expect(connectionOf([], catalog('lite')).name).toBe('lite')
    expect(connectionOf([], catalog()).name).toBe('main')
  })
})
