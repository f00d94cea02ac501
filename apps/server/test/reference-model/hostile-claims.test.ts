/**
 * For any claims in a token: its owner reaches exactly the rows and cells that the reference model shows. A separate
 * permission grants each column, so that one answer shows the result of every kind of condition. `HOSTILE_CLAIMS` sets
 * the number of claims to try.
 */
import { createEngine } from '@engine/core'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSqlite, type TestDatabase } from '../support/databases.ts'
import { adapters, openGateway } from '../support/gateway.ts'
import { bearer, secret } from '../support/tokens.ts'
import { answerOf } from './answer.ts'
import { hostileClaims } from './hostile-claims.ts'
import type { Json, PermissionModel, Row, TableModel, World } from './shapes.ts'

const count = Number(process.env['HOSTILE_CLAIMS'] ?? 2_000)
const seed = Number(process.env['REFERENCE_MODEL_SEED'] ?? 1)

/** Conditions by the name of the column that they show. */
const conditions: Readonly<Record<string, Json>> = {
  text: { tenant: '$user.tenant' },
  other: { tenant: { $ne: '$user.tenant' } },
  negated: { $not: { tenant: '$user.tenant' } },
  listed: { tenant: { $in: '$user.words' } },
  unlisted: { tenant: { $nin: '$user.words' } },
  number: { level: '$user.level' },
  above: { level: { $gte: '$user.level' } },
  numbers: { level: { $in: '$user.words' } },
  flag: { vip: '$user.vip' },
  path: { tenant: '$user.org.id' },
  prototype: { tenant: '$user.org.__proto__.id' },
  inherited: { tenant: '$user.constructor.name' },
  pattern: { tenant: { $like: '$user.tenant' } },
  part: { tenant: { $contains: '$user.org.id' } },
  present: { '$user.tenant': { $notNull: true } },
  absent: { '$user.tenant': { $isNull: true } },
  rank: { '$user.level': { $gte: 2 } },
  between: { level: { $between: ['$user.level', 5] } },
  document: { data: { $eq: '$user.tenant' } },
  inside: { data: { $contains: '$user.level' } },
}
const names = Object.keys(conditions)

const columns: TableModel['columns'] = {
  id: 'int4',
  tenant: 'text',
  level: 'int4',
  vip: 'bool',
  data: 'jsonb',
  ...Object.fromEntries(names.map((name) => [name, 'int4'])),
}
const schema: World['schema'] = {
  things: { columns, defaults: {}, relations: {}, references: {} },
}
const ones = Object.fromEntries(names.map((name) => [name, 1]))
const things: readonly Row[] = [
  { id: 1, tenant: 'a', level: 1, vip: true, data: 'a', ...ones },
  { id: 2, tenant: 'b', level: 2, vip: false, data: [1, 'b'], ...ones },
  { id: 3, tenant: '', level: 0, vip: null, data: { a: 1 }, ...ones },
  { id: 4, tenant: 'null', level: null, vip: true, data: 1, ...ones },
  { id: 5, tenant: null, level: 2_147_483_647, vip: false, data: null, ...ones },
  { id: 6, tenant: '$user.tenant', level: -1, vip: null, data: true, ...ones },
]
const permissions: readonly PermissionModel[] = Object.entries(conditions).map(([name, where]) => ({
  table: 'things',
  roles: ['*'],
  select: { columns: ['id', name], where },
}))
const config = (url: string) => ({
  connections: { main: url },
  auth: { secret },
  permissions: permissions.map((each, i) => ({
    ...each,
    table: 'main.things',
    name: names[i],
  })) as never,
})

const createThings = `
create table things (id integer primary key, tenant text, level integer, vip boolean, data jsonb,
  ${names.map((name) => `"${name}" integer not null default 1`).join(', ')});
insert into things (id, tenant, level, vip, data) values
${things
  .map(({ id, tenant, level, vip, data }) => {
    const text = (value: unknown) => (value === null ? 'null' : `'${value}'`)
    return `(${id}, ${text(tenant)}, ${level}, ${vip}, ${data === null ? 'null' : text(JSON.stringify(data))})`
  })
  .join(',\n')};`

const sql = `select ${['id', ...names].map((name) => `a."${name}"`).join(', ')} from main.things a order by 1`
const outputs = ['id', ...names].map((name) => `a.${name}`)

function expected(claims: Json): unknown {
  const rows = { things }
  const world: World = { schema, rows, permissions, roles: [], claims, now: 0 }
  const answer = answerOf(world, {
    kind: 'select',
    table: 'things',
    columns: outputs,
    isCounted: false,
  })
  return answer.kind === 'rows' ? answer.rows : answer.kind
}

describe(`hostile claims, seed ${seed}`, () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openSqlite(createThings)
  })
  afterAll(() => database.remove())

  test(
    `${count} of them reach what the model shows`,
    async () => {
      const engine = await createEngine(config(database.url), { adapters })
      try {
        const property = fc.asyncProperty(hostileClaims, async (text) => {
          const fields = JSON.parse(text) as Json
          const { body } = await engine.query(
            { sql, params: [], method: 'all', meta: false, signal: undefined },
            { kind: 'user', id: 'u', roles: [], fields },
          )
          expect(JSON.parse(Buffer.from(body as string).toString()).rows).toEqual(expected(fields))
        })
        await fc.assert(property, { seed, numRuns: count })
      } finally {
        await engine.close()
      }
    },
    60_000 + count * 5,
  )

  test(
    'in real tokens too',
    async () => {
      const gateway = await openGateway(config(database.url))
      try {
        const property = fc.asyncProperty(hostileClaims, async (text) => {
          const claims = JSON.parse(text) as Json
          const { status, body } = await gateway.data(
            { sql, params: [], method: 'all' },
            await bearer(claims),
          )
          expect([status, (body as Json)['rows']]).toEqual([200, expected(claims)])
        })
        await fc.assert(property, { seed, numRuns: Math.ceil(count / 25) })
      } finally {
        await gateway.close()
      }
    },
    60_000 + count,
  )
})
