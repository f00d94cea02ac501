import { GatewayError } from '@engine/core'
import { createTypeSystem } from '@engine/core/catalog'
import type { ReportedFacts } from '@engine/core/server'
import type { VisibleCatalog, VisibleColumn } from '@engine/core/session'
import { noTypmod, oids } from '@engine/core/values'
import { expect, test } from 'vitest'
import { wordsOf } from './error-words.ts'

const nameColumn: VisibleColumn = {
  column: {
    name: 'name',
    ordinal: 0,
    type: { oid: oids.text, typmod: noTypmod },
    nullable: false,
    hasDefault: false,
    generated: 'no',
    nativeType: 'text',
    nativeDefault: undefined,
    collation: undefined,
    native: undefined,
    comment: undefined,
  },
  isReadable: true,
  isInsertable: true,
  isUpdatable: true,
}

function visibleTables(names: readonly string[], isWhole: boolean): VisibleCatalog {
  const table = {
    kind: 'table' as const,
    comment: undefined,
    isWhole,
    columns: [nameColumn],
    primaryKey: [],
    uniqueKeys: [],
    foreignKeys: [],
    indexes: [],
    checks: [],
    operations: [],
  }
  const tables = names.map((name) => ({ name, ...table }))
  const types = createTypeSystem()
  return { key: '', connections: [{ name: 'main', kind: 'postgres', types, tables, isWhole }] }
}

const partly = visibleTables(['items', 'orders'], false)

const messageOf = (problem: 'tableNotFound' | 'unknownColumn', sql: string, at: string) => {
  const error = new GatewayError(problem, 'own words', { position: sql.indexOf(at) + 1 })
  return wordsOf({ error, message: error.message, sql, visible: partly }).message
}

test('a table that is not there is named as the client spelled it', () => {
  const words = (sql: string, at: string) => messageOf('tableNotFound', sql, at)
  expect(words('select 1 from Nowhere', 'Nowhere')).toBe('relation "nowhere" does not exist')
  expect(words('select 1 from main.nowhere n', 'main')).toBe(
    'relation "main.nowhere" does not exist',
  )
  expect(words('select 1 from main . "No ""where"', 'main')).toBe(
    'relation "main.No "where" does not exist',
  )
})

test('so is a column', () => {
  const words = (sql: string, at: string) => messageOf('unknownColumn', sql, at)
  expect(words('select nope from items', 'nope')).toBe('column "nope" does not exist')
  expect(words('select 1, I.nope from items i', 'I.nope')).toBe('column i.nope does not exist')
  expect(words('insert into main.items (id, nope) values (1, 2)', 'nope')).toBe(
    'column "nope" of relation "items" does not exist',
  )
  expect(words('update only main.items as i set nope = 1', 'nope')).toBe(
    'column "nope" of relation "items" does not exist',
  )
  expect(words('update items set id = nope', 'nope')).toBe('column "nope" does not exist')
  expect(words('update items set id = 1 where nope', 'nope')).toBe('column "nope" does not exist')
})

test('positions count characters, not units of UTF-16', () => {
  const sql = "select '😀', nope from items"
  const error = new GatewayError('unknownColumn', 'own words', { position: 13 })
  expect(wordsOf({ error, message: 'own words', sql, visible: partly }).message).toBe(
    'column "nope" does not exist',
  )
})

const violated = (sqlState: string, names: Omit<ReportedFacts, 'connection'>, sql = '') => {
  const told = { connection: 'main', ...names }
  const violation = { table: 'hidden', column: 'hidden', constraint: 'hidden' }
  const error = new GatewayError('conflict', 'own words', {
    sqlState,
    violation,
    reportedFacts: told,
  })
  return wordsOf({ error, message: error.message, sql, visible: partly })
}

test('a constraint is named with its table', () => {
  expect(violated('23505', { table: 'items', constraint: 'items_pkey' })).toEqual({
    message: 'duplicate key value violates unique constraint "items_pkey"',
    schema: 'main',
    table: 'items',
    column: undefined,
    constraint: 'items_pkey',
  })
  expect(violated('23502', { table: 'items', column: 'name' }).message).toBe(
    'null value in column "name" of relation "items" violates not-null constraint',
  )
  expect(violated('23514', { table: 'items', constraint: 'c' }).message).toBe(
    'new row for relation "items" violates check constraint "c"',
  )
  const key = { table: 'orders', constraint: 'fk' }
  expect(violated('23503', key, 'insert into orders values (1)').message).toBe(
    'insert or update on table "orders" violates foreign key constraint "fk"',
  )
  expect(violated('23503', key, 'delete from main.items').message).toBe(
    'update or delete on table "items" violates foreign key constraint "fk" on table "orders"',
  )
})

test('no name is sent that the caller may not know', () => {
  expect(violated('23503', {})).toEqual({ message: 'statement violates foreign key constraint' })
  for (const sqlState of ['23502', '23503', '23505', '23514']) {
    const words = violated(sqlState, { table: 'items' })
    expect(words).toMatchObject({ table: 'items', column: undefined, constraint: undefined })
    expect(JSON.stringify(words)).not.toContain('hidden')
  }
})

test('the database’s own words quote rows: they are for those who may read all', () => {
  const cause = Object.assign(new Error('value "x" is wrong'), {
    code: '22P02',
    detail: 'Of row 7.',
  })
  const error = new GatewayError('dataError', 'own words', { sqlState: '22P02', cause })
  const failed = { error, message: error.message, sql: '' }
  expect(wordsOf({ ...failed, visible: partly })).toEqual({ message: 'own words' })
  expect(wordsOf({ ...failed, visible: visibleTables(['items'], true) })).toEqual({
    message: 'value "x" is wrong',
    detail: 'Of row 7.',
  })
})
