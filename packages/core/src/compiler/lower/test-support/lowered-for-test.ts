/** @module Lowers statements over a small catalog and shows the result as text. */

import { createEngine } from '../../../engine/engine.ts'
import { admin, type Caller } from '../../../foundation/caller.ts'
import type { Adapter } from '../../../runtime/adapter/adapter.ts'
import type { IntrospectedColumn, IntrospectedTable } from '../../catalog/introspection.ts'
import type { Permission } from '../../permissions/permission/permission.ts'
import { oids } from '../../sql-types/oids.ts'
import type { LoweringDialect } from '../dialect.ts'
import { lowerStatement } from '../lower-statement.ts'
import { printForTest } from './print-for-test.ts'

function columnOf(name: string, oid: number, nullable = false): IntrospectedColumn {
  return {
    name,
    type: { oid, typmod: noTypmod },
    nullable,
    hasDefault: false,
    generated: 'no',
    nativeType: '',
    nativeDefault: undefined,
    collation: undefined,
    native: undefined,
    comment: undefined,
  }
}

const noTypmod = -1

function tableOf(
  name: string,
  columns: readonly IntrospectedColumn[],
  keys: Partial<IntrospectedTable> = {},
): IntrospectedTable {
  return {
    schema: undefined,
    name,
    kind: 'table',
    comment: undefined,
    columns,
    primaryKey: [],
    uniqueKeys: [],
    foreignKeys: [],
    ...keys,
  }
}

const tables: readonly IntrospectedTable[] = [
  tableOf('t', [columnOf('id', oids.int4), columnOf('a', oids.int4, true)], { primaryKey: ['id'] }),
  tableOf(
    'u',
    [
      columnOf('id', oids.int4),
      columnOf('t_id', oids.int4, true),
      columnOf('n', oids.int4, true),
      columnOf('code', oids.text, true),
    ],
    { primaryKey: ['id'], uniqueKeys: [['code']] },
  ),
  tableOf('v', [columnOf('x', oids.int4, true)], { kind: 'view' }),
]

const reader: Caller = { kind: 'user', id: '1', roles: ['reader'], fields: {} }

/** The features of SQLite. */
export const withoutLateral: LoweringDialect = {
  database: 'SQLite',
  lateral: 'rows',
  derivedSeesOutside: true,
  withSeesOutside: true,
  refusesSeveralRows: false,
  hasFullJoin: true,
  hasFilter: true,
  calculatesWithCalls: true,
  hasLagDefault: true,
  hasAllOfSets: false,
  hasArraySubquery: true,
  hasFreeLimit: true,
  keepsInnerOrder: true,
}

/** The features of MariaDB. */
export const withoutMuch: LoweringDialect = {
  database: 'MariaDB',
  lateral: 'listedRows',
  derivedSeesOutside: false,
  withSeesOutside: false,
  refusesSeveralRows: true,
  hasFullJoin: false,
  hasFilter: false,
  calculatesWithCalls: false,
  hasLagDefault: false,
  hasAllOfSets: true,
  hasArraySubquery: false,
  hasFreeLimit: false,
  keepsInnerOrder: false,
}

/**
 * The lowered form of a statement over `main.t (id, a)`, `main.u (id, t_id, n, code)` and the view `main.v (x)`, as text. Keys
 * are `t.id`, `u.id` and `u.code`.
 *
 * @param permissions of the role `reader`; without any, the caller is an administrator.
 */
export async function loweredForTest(
  sql: string,
  params: readonly unknown[] = [],
  permissions: readonly Permission[] = [],
  dialect: LoweringDialect = withoutLateral,
): Promise<string> {
  let text = ''
  const adapter: Adapter = {
    kind: 'sqlite',
    traits: { carriesConditionsAcrossJoins: false, streamsRecursion: true },
    introspect: async () => ({ types: [], tables }),
    compile: (statement) => {
      text = printForTest(lowerStatement(statement, dialect))
      return {
        steps: [],
        needsTransaction: false,
        isWrite: false,
        columns: [],
        hints: undefined,
      }
    },
    execute: async () => ({ rows: '', rowCount: 0, truncated: false }),
    transaction: async () => {
      throw new Error('there are no transactions here')
    },
    ping: async () => undefined,
    close: async () => undefined,
  }
  const engine = await createEngine(
    { connections: { main: { url: 'lowered.db' } }, permissions },
    { adapters: { '@engine/adapters-sqlite': () => adapter } },
  )
  const request = { sql, params, method: 'all', meta: false, signal: undefined } as const
  await engine.query(request, permissions.length === 0 ? admin : reader)
  await engine.close()
  return text
}
