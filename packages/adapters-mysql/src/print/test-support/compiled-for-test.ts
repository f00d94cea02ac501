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
import type { MysqlColumnNative } from '../../introspection/native-column.ts'
import type { Flavor } from '../../server/flavor.ts'

interface ColumnOptions {
  readonly modifiers?: readonly number[]
  readonly native?: Partial<MysqlColumnNative>
  readonly nullable?: boolean
}

function columnOf(name: string, oid: number, options: ColumnOptions = {}): IntrospectedColumn {
  const { modifiers = [], native = {}, nullable = true } = options
  const packed = encodeTypmod(oid, modifiers, name)
  const isText = oid === oids.text || oid === oids.varchar || oid === oids.bpchar
  const defaults: MysqlColumnNative = {
    dataType: isText ? 'varchar' : 'int',
    isUnsigned: false,
    charset: isText ? 'utf8mb4' : undefined,
    collation: isText ? 'utf8mb4_nopad_bin' : undefined,
    isBinaryCollation: isText,
    fractionDigits: 6,
    isAutoIncrement: false,
    defaultExpression: undefined,
    uniqueIndexes: [],
    inHiddenUnique: false,
    besideGeneratedKey: false,
  }
  return {
    name,
    type: { oid, typmod: packed.ok ? packed.typmod : -1 },
    nullable,
    hasDefault: native.isAutoIncrement === true,
    generated: 'no',
    nativeType: '',
    nativeDefault: undefined,
    collation: undefined,
    native: { ...defaults, ...native },
    comment: undefined,
  }
}

function tableOf(
  name: string,
  columns: readonly IntrospectedColumn[],
  keys: Partial<IntrospectedTable> = {},
): IntrospectedTable {
  const plain = { schema: 'shop', kind: 'table', comment: undefined } as const
  return { ...plain, name, columns, primaryKey: [], uniqueKeys: [], foreignKeys: [], ...keys }
}

const key = columnOf('id', oids.int4, {
  nullable: false,
  native: { isAutoIncrement: true, uniqueIndexes: ['PRIMARY'] },
})

const tables: readonly IntrospectedTable[] = [
  tableOf(
    'item',
    [
      key,
      columnOf('a', oids.int4),
      columnOf('price', oids.numeric, { modifiers: [10, 2], native: { dataType: 'decimal' } }),
      columnOf('name', oids.text, { nullable: false }),
      columnOf('open', oids.bool, { nullable: false, native: { dataType: 'tinyint' } }),
      columnOf('nick', oids.text, {
        native: { collation: 'utf8mb4_general_ci', isBinaryCollation: false },
      }),
      columnOf('latin', oids.text, {
        native: { charset: 'latin1', collation: 'latin1_swedish_ci', isBinaryCollation: false },
      }),
      columnOf('data', oids.jsonb, { native: { dataType: 'json' } }),
    ],
    { primaryKey: ['id'], uniqueKeys: [['name']] },
  ),
  tableOf('odd', [
    key,
    {
      ...columnOf('mood', oids.text, { native: { dataType: 'enum' } }),
      listed: { kind: 'one', values: ['a', 'B'] },
    },
    columnOf('born', oids.int2, { native: { dataType: 'year' } }),
    columnOf('long_text', oids.text, { native: { dataType: 'text' } }),
  ]),
  tableOf('part', [key, columnOf('item_id', oids.int4), columnOf('n', oids.int4)], {
    primaryKey: ['id'],
    foreignKeys: [{ columns: ['item_id'], table: 'item', references: ['id'] }],
  }),
]

export const mariaDb: Flavor = { kind: 'mariadb', version: 101_106 }
export const mySql: Flavor = { kind: 'mysql', version: 80_403 }

export interface CompileOptions {
  /** Without permissions everything is allowed. */
  readonly permissions?: readonly Permission[]
  readonly params?: readonly unknown[]
  readonly flavor?: Flavor
}

/** The steps of a statement over `main.item` and `main.part`, each as `yields: sql`. */
export async function compiledForTest(
  sql: string,
  options: CompileOptions = {},
): Promise<readonly string[]> {
  const { steps } = await compiled(sql, options)
  return steps.map(({ yields, sql: text }) => `${yields}: ${text}`)
}

/** The whole compiled statement. */
export async function compiled(
  sql: string,
  options: CompileOptions = {},
): Promise<CompiledStatement> {
  return (await authorizedAndCompiled(sql, options)).compiled
}

/** What was compiled, and to what. */
export async function authorizedAndCompiled(
  sql: string,
  { permissions, params = [], flavor = mariaDb }: CompileOptions = {},
): Promise<{ readonly authorized: AuthorizedStatement; readonly compiled: CompiledStatement }> {
  let found: Awaited<ReturnType<typeof authorizedAndCompiled>> | undefined
  const adapter: Adapter = {
    kind: 'mysql',
    introspect: async () => ({ types: [], tables }),
    compile: (authorized) => {
      found = { authorized, compiled: compile(authorized, flavor) }
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
      connections: { main: { url: 'mysql://localhost/shop' } },
      ...(permissions === undefined ? {} : { permissions }),
    },
    { adapters: { '@engine/adapters-mysql': () => adapter } },
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
