/** @module One statement through every stage of the compiler, as `packages/core/src/compiler/README.md` shows it. `vitest -u` writes it again. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compile as compileForMysql } from '@engine/adapters-mysql/dialect'
import { postgresAdapter } from '@engine/adapters-postgres'
import { compile as compileForSqlite, sqliteTraits } from '@engine/adapters-sqlite/dialect'
import type { Caller, DatabaseKind } from '@engine/core'
import {
  type AuthorizedStatement,
  type CompiledStatement,
  type IntrospectedTable,
  sqlOf,
} from '@engine/core/adapter'
import { oids } from '@engine/core/catalog'
import { forEachToken } from '@engine/core/session'
import { expect, test } from 'vitest'
import { lowering } from '../../../../packages/adapters-sqlite/src/print/statement/lowering.ts'
import { bindStatement } from '../../../../packages/core/src/compiler/bind/bind.ts'
import { printStatementForTest } from '../../../../packages/core/src/compiler/bind/test-support/print-statement-for-test.ts'
import { buildCatalog } from '../../../../packages/core/src/compiler/catalog/build-catalog.ts'
import { withRowLimit } from '../../../../packages/core/src/compiler/limits/enforce-limits.ts'
import { lowerStatement } from '../../../../packages/core/src/compiler/lower/lower-statement.ts'
import { printForTest } from '../../../../packages/core/src/compiler/lower/test-support/print-for-test.ts'
import { catalogView } from '../../../../packages/core/src/compiler/permissions/access/catalog-view.ts'
import { createRightsSource } from '../../../../packages/core/src/compiler/permissions/access/rights.ts'
import { authorize } from '../../../../packages/core/src/compiler/permissions/authorize/authorize.ts'
import { parsePermission } from '../../../../packages/core/src/compiler/permissions/permission/parse-permission.ts'
import { createConnectionPermissions } from '../../../../packages/core/src/compiler/permissions/permission/permission-set.ts'
import { describeStatement } from '../../../../packages/core/src/compiler/permissions/test-support/describe-statement.ts'
import { loadParser, parseStatement } from '../../../../packages/core/src/compiler/sql/parse.ts'
import { createFaults } from '../../../../packages/core/src/foundation/faults.ts'

await loadParser()

const readme = join(import.meta.dirname, '../../../../packages/core/src/compiler/README.md')

const sql = `select distinct on (customer_id) customer_id, id, total
from orders where status <> $1 order by customer_id, id desc`

const permissions = {
  own: {
    table: 'main.orders',
    roles: ['clerk'],
    select: { columns: ['id', 'customer_id', 'status'], where: { tenant_id: '$user.tenant' } },
  },
  paid: {
    table: 'main.orders',
    roles: ['clerk'],
    select: {
      columns: ['id', 'customer_id', 'status', 'total'],
      where: { tenant_id: '$user.tenant', status: { $eq: 'paid' } },
    },
  },
}

const caller: Caller = { kind: 'user', id: '7', roles: ['clerk'], fields: { tenant: 3 } }

type Column = IntrospectedTable['columns'][number]

function nativeOf(kind: DatabaseKind, isText: boolean, isKey: boolean): Column['native'] {
  if (kind === 'postgres') return undefined
  if (kind === 'sqlite') {
    return {
      affinity: isText ? 'text' : 'numeric',
      isRowidAlias: isKey,
      rowidName: 'rowid',
      isStrict: true,
      storesNull: false,
      isCanonical: true,
    }
  }
  return {
    dataType: isText ? 'varchar' : 'int',
    isUnsigned: false,
    charset: isText ? 'utf8mb4' : undefined,
    collation: isText ? 'utf8mb4_bin' : undefined,
    isBinaryCollation: isText,
    fractionDigits: 0,
    isAutoIncrement: isKey,
    defaultExpression: undefined,
    uniqueIndexes: isKey ? ['PRIMARY'] : [],
    inHiddenUnique: false,
  }
}

function tableFor(kind: DatabaseKind): IntrospectedTable {
  const column = (name: string, oid: number = oids.int4): Column => ({
    name,
    type: { oid, typmod: -1 },
    nullable: false,
    hasDefault: false,
    generated: 'no',
    nativeType: '',
    nativeDefault: undefined,
    collation: undefined,
    native: nativeOf(kind, oid === oids.text, name === 'id'),
    comment: undefined,
  })
  return {
    schema: kind === 'postgres' ? 'public' : undefined,
    name: 'orders',
    kind: 'table',
    comment: undefined,
    columns: [
      column('id'),
      column('tenant_id'),
      column('customer_id'),
      column('status', oids.text),
      column('total'),
    ],
    primaryKey: ['id'],
    uniqueKeys: [],
    foreignKeys: [],
  }
}

/** The forms of the statement up to the authorized one, over one kind of database. */
function stagesFor(kind: DatabaseKind) {
  const traits = kind === 'sqlite' ? sqliteTraits : undefined
  const introspection = { types: [], tables: [tableFor(kind)] }
  const catalog = buildCatalog(
    [{ name: 'main', kind, traits, introspection, relationships: {} }],
    1,
    (path, message) => expect.unreachable(`${path}: ${message}`),
  )
  const connection = catalog.connections.get('main')
  if (connection === undefined) throw new Error('there is no connection')
  const faults = createFaults()
  const parsedPermissions = Object.entries(permissions).flatMap(([name, input]) => {
    const permission = parsePermission(input, faults, name)
    return permission === undefined ? [] : [[name, permission] as const]
  })
  const checked = createConnectionPermissions(
    new Map(parsedPermissions),
    connection,
    new Map(),
    faults,
  )
  expect(faults.list).toEqual([])
  const access = createRightsSource([{ connection, permissions: checked }], false)
    .rightsOf(caller)
    .access(connection)
  const parsed = parseStatement(sql)
  const bound = bindStatement(parsed, {
    catalog,
    view: () => catalogView(access, false),
    parameterCount: parsed.parameterCount,
  })
  return { bound, authorized: withRowLimit(authorize(bound, access), 1000) }
}

function tokensOf(text: string): string {
  const tokens: string[] = []
  forEachToken(text, (kind, start, end) => tokens.push(`${kind} ${text.slice(start, end)}`))
  return tokens.join(' · ')
}

const postgres = postgresAdapter({ url: 'postgres://127.0.0.1:1/none' })

const printers: readonly [
  string,
  DatabaseKind,
  (statement: AuthorizedStatement) => CompiledStatement,
][] = [
  ['PostgreSQL', 'postgres', (each) => postgres.compile(each)],
  ['MySQL 8.4', 'mysql', (each) => compileForMysql(each, { kind: 'mysql', version: 80_403 })],
  ['MariaDB 11.6', 'mysql', (each) => compileForMysql(each, { kind: 'mariadb', version: 110_602 })],
  ['SQLite', 'sqlite', (each) => compileForSqlite(each)],
]

/** Lists on one line. */
function permissionsText(): string {
  return JSON.stringify(permissions, null, 2).replace(/\[[^[\]]*\]/g, (list) =>
    list.replace(/\s+/g, ' ').replace('[ ', '[').replace(' ]', ']'),
  )
}

/** Breaks a long line before the clauses of the outer query and of subqueries. */
function wrapped(text: string): string {
  return text.replace(/ (?=(?:from|where|order by|limit|left join) )/g, '\n  ')
}

function block(text: string, language = 'text'): string {
  return `\`\`\`${language}\n${text}\n\`\`\``
}

test('the README of the compiler shows what the stages make of its statement', async () => {
  const { bound, authorized } = stagesFor('postgres')
  const lowered = lowerStatement(stagesFor('sqlite').authorized, lowering)
  const forms: Record<string, string> = {
    statement: block(sql, 'sql'),
    permissions: block(permissionsText(), 'json'),
    tokens: block(tokensOf(sql)),
    bound: block(wrapped(printStatementForTest(bound))),
    authorized: block(wrapped(describeStatement(authorized)).replaceAll('; mask', ';\n    mask')),
    lowered: block(wrapped(printForTest(lowered))),
  }
  for (const [name, kind, compile] of printers) {
    const { steps } = compile(stagesFor(kind).authorized)
    forms[name] = block(steps.map((step) => wrapped(sqlOf(step))).join(';\n'), 'sql')
  }
  const text = readFileSync(readme, 'utf8').replace(
    /(<!-- form: (.+) -->\n)[\s\S]*?(<!-- \/form -->)/g,
    (_, start: string, name: string, end: string) => {
      expect(Object.keys(forms)).toContain(name)
      return `${start}${forms[name]}\n${end}`
    },
  )
  for (const name of Object.keys(forms)) expect(text).toContain(`<!-- form: ${name} -->`)
  await expect(text).toMatchFileSnapshot(readme)
})
