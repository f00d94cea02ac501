import { createTypeSystem } from '@engine/core/catalog'
import type { VisibleCatalog } from '@engine/core/session'
import { expect, test } from 'vitest'
import type { CatalogScope } from '../wire-catalog.ts'
import { backendMessages } from './backend-messages.ts'
import { isolatedStatement } from './isolated-statement.ts'

const visible: VisibleCatalog = {
  key: 'none',
  connections: [
    { name: 'main', kind: 'postgres', types: createTypeSystem(), isWhole: true, tables: [] },
  ],
}

function scope(settings: readonly (readonly [string, string])[]): CatalogScope {
  return { visible, user: 'alice', database: 'shop', processId: 7, settings: new Map(settings) }
}

/** The SQL of the messages before the statement. */
function opening(settings: readonly (readonly [string, string])[], renaming?: string): string[] {
  const context = { renaming, user: `o'neil`, defaults: new Map([['work_mem', '4MB']]) }
  const query = { sql: 'select 1', parameterOids: [] }
  const request = isolatedStatement(query, undefined, scope(settings), context)
  return backendMessages(request.opening).map(({ body }) => body.toString().replaceAll('\0', ''))
}

test('a statement runs in a transaction that only reads, as its client', () => {
  expect(opening([])).toEqual([
    'set session authorization pg_engine',
    `begin read only; select pg_catalog.engine_set_config('engine.process_id', '7', true); ` +
      `select pg_catalog.engine_set_config('session_authorization', 'o''neil', true)`,
  ])
})

test('names are changed before', () => {
  expect(opening([], 'begin; commit')[1]).toBe('begin; commit')
})

test('few settings are obeyed, others are shown, equal ones are left out', () => {
  const [, begin = ''] = opening([
    ['TimeZone', `Europe/"Berlin'`],
    ['exit_on_error', 'on'],
    ['Work_Mem', '4MB'],
    ['transaction_read_only', 'off'],
    ['a b', 'x'],
  ])
  const set = [...begin.matchAll(/engine_set_config\('((?:[^']|'')*)', '((?:[^']|'')*)'/g)]
  expect(set.map(([, name, value]) => [name, value])).toEqual([
    ['engine.process_id', '7'],
    ['timezone', `Europe/"Berlin''`],
    ['engine.exit_on_error', 'on'],
    ['engine.transaction_read_only', 'off'],
    ['session_authorization', `o''neil`],
  ])
})

test('everything is undone afterwards', () => {
  const context = { renaming: undefined, user: 'alice', defaults: new Map() }
  const query = { sql: 'select 1', parameterOids: [] }
  const { closing, execution } = isolatedStatement(query, undefined, scope([]), context)
  const texts = backendMessages(closing).map(({ body }) => body.toString().replaceAll('\0', ''))
  expect(texts).toEqual(['rollback', 'discard all'])
  expect(execution).toBeUndefined()
})

test('a text with NUL is refused', () => {
  const context = { renaming: undefined, user: 'alice', defaults: new Map() }
  const query = { sql: 'select 1\0', parameterOids: [] }
  expect(() => isolatedStatement(query, undefined, scope([]), context)).toThrow(
    expect.objectContaining({ sqlState: '22021' }),
  )
})
