/** @module Compiles statements over a small catalog and shows the steps. */

import { createEngine, type Permission } from '@engine/core'
import type {
  Adapter,
  AuthorizedStatement,
  CompiledStatement,
  IntrospectedColumn,
  IntrospectedTable,
} from '@engine/core/adapter'
import { encodeTypmod, oids } from '@engine/core/catalog'
import { compile } from '../../compile.ts'
import type { SqliteColumnNative } from '../../introspection/native-column.ts'
import { sqliteTraits } from '../../traits.ts'

interface ColumnOptions {
  readonly modifiers?: readonly number[]
  readonly native?: Partial<SqliteColumnNative>
  readonly nullable?: boolean
  readonly nativeDefault?: string
  readonly collation?: string
  readonly generated?: IntrospectedColumn['generated']
}

function columnOf(name: string, oid: number, options: ColumnOptions = {}): IntrospectedColumn {
  const { modifiers = [], native = {}, nullable = true, nativeDefault, collation } = options
  const { generated = 'no' } = options
  const packed = encodeTypmod(oid, modifiers, name)
  const defaults: SqliteColumnNative = {
    affinity: oid === oids.text || oid === oids.bpchar ? 'text' : 'numeric',
    isRowidAlias: false,
    rowidName: 'rowid',
    isStrict: false,
    storesNull: false,
    isCanonical: true,
  }
  return {
    name,
    type: { oid, typmod: packed.ok ? packed.typmod : -1 },
    nullable,
    hasDefault: nativeDefault !== undefined || native.isRowidAlias === true,
    generated,
    nativeType: '',
    nativeDefault,
    collation,
    native: { ...defaults, ...native },
    comment: undefined,
  }
}

function tableOf(
  name: string,
  columns: readonly IntrospectedColumn[],
  keys: Partial<IntrospectedTable> = {},
): IntrospectedTable {
  const plain = { schema: undefined, kind: 'table', comment: undefined } as const
  return { ...plain, name, columns, primaryKey: [], uniqueKeys: [], foreignKeys: [], ...keys }
}

const key = columnOf('id', oids.int4, { nullable: false, native: { isRowidAlias: true } })

const tables: readonly IntrospectedTable[] = [
  tableOf(
    'item',
    [
      key,
      columnOf('a', oids.int4),
      columnOf('price', oids.numeric, { modifiers: [10, 2] }),
      columnOf('name', oids.text, { nullable: false }),
      columnOf('at', oids.timestamp, { nativeDefault: 'CURRENT_TIMESTAMP' }),
      columnOf('seen', oids.timestamptz, { native: { isCanonical: false } }),
      columnOf('open', oids.bool, { nullable: false, nativeDefault: 'true' }),
      columnOf('data', oids.jsonb),
      columnOf('code', oids.bpchar, { modifiers: [3] }),
      columnOf('nick', oids.text, { collation: 'NOCASE' }),
      columnOf('odd', oids.int4, { nativeDefault: '(random())' }),
    ],
    { primaryKey: ['id'], uniqueKeys: [['name']] },
  ),
  tableOf('part', [key, columnOf('item_id', oids.int4), columnOf('n', oids.int4)], {
    primaryKey: ['id'],
    foreignKeys: [{ columns: ['item_id'], table: 'item', references: ['id'] }],
  }),
  tableOf(
    'pair',
    [
      columnOf('k', oids.text, { nullable: false, native: { rowidName: undefined } }),
      columnOf('v', oids.int4, { native: { rowidName: undefined } }),
    ],
    { primaryKey: ['k'] },
  ),
  tableOf('square', [
    columnOf('side', oids.int4),
    columnOf('area', oids.int4, { generated: 'always' }),
    columnOf('color', oids.text, { nativeDefault: `'${'red '.repeat(30)}'` }),
  ]),
]

/**
 * The steps of a statement over `main.item`, `main.part`, `main.pair` (WITHOUT ROWID) and `main.square` (with a generated column), each as `yields: sql`, in which
 * `sampled(x)` stands for the check of a loop for one row of 32, and `scanned(x)` for that of a scan. Without permissions everything is allowed.
 */
export async function compiledForTest(
  sql: string,
  permissions?: readonly Permission[],
  params: readonly unknown[] = [],
): Promise<readonly string[]> {
  const { steps } = await compiled(sql, permissions, params)
  const samples = /\(random\(\) & 31 or tick_sample\(([^)]*)\)\)/g
  const scans = /\(\([^()]* % \d+\) & 255 or tick_scan\(([^)]*)\)\)/g
  return steps.map(
    ({ yields, sql: text = '' }) =>
      `${yields}: ${text.replace(samples, 'sampled($1)').replace(scans, 'scanned($1)')}`,
  )
}

/** The whole compiled statement. */
export async function compiled(
  sql: string,
  permissions?: readonly Permission[],
  params: readonly unknown[] = [],
): Promise<CompiledStatement> {
  return (await authorizedAndCompiled(sql, permissions, params)).compiled
}

/** What was compiled, and to what. */
export async function authorizedAndCompiled(
  sql: string,
  permissions?: readonly Permission[],
  params: readonly unknown[] = [],
): Promise<{ readonly authorized: AuthorizedStatement; readonly compiled: CompiledStatement }> {
  let found: Awaited<ReturnType<typeof authorizedAndCompiled>> | undefined
  const adapter: Adapter = {
    kind: 'sqlite',
    traits: sqliteTraits,
    introspect: async () => ({ types: [], tables }),
    compile: (authorized) => {
      found = { authorized, compiled: compile(authorized) }
      return found.compiled
    },
    execute: async () => ({ rows: '', rowCount: 0, truncated: false }),
    transaction: async () => {
      throw new Error('there are no transactions here')
    },
    ping: async () => undefined,
    close: async () => undefined,
  }
  const engine = await createEngine(
    {
      connections: { main: { url: 'compiled.db' } },
      ...(permissions === undefined ? {} : { permissions }),
    },
    { adapters: { '@engine/adapters-sqlite': () => adapter } },
  )
  const request = { sql, params, method: 'all', meta: false, signal: undefined } as const
  try {
    await engine.query(request, { kind: 'anonymous', roles: ['anonymous'], fields: {} })
  } finally {
    await engine.close()
  }
  if (found === undefined) throw new Error('nothing was compiled')
  return found
}
