import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  type Accounts,
  type CallOptions,
  masterKey,
  openAccounts,
  signUp,
} from '../support/accounts.ts'

let node: Accounts

const admin = (method: string, path: string, options: CallOptions = {}) =>
  node.call(method, `/admin/api${path}`, { token: masterKey, ...options })
const preview = (body: unknown) =>
  admin('POST', '/config/preview', {
    body: { connection: 'main', table: 'notes', as: { roles: ['reader'] }, ...(body as object) },
  })
const reads = (select: object) => ({
  readers: { table: 'main.notes', roles: ['reader'], select },
})

for (const mode of ['interactive', 'programmatic'] as const) {
  describe(`a permission that is not saved, in ${mode} mode`, () => {
    beforeEach(async () => {
      node = await openAccounts({}, { config: { mode, audit: { enabled: true } } })
      node.execute("insert into notes values (1, 'ada', 'one'), (2, 'bob', 'two')")
    })
    afterEach(() => node.close())

    test('is evaluated for a caller: rows, columns, SQL', async () => {
      const { status, body } = await preview({
        permissions: reads({ columns: ['id', 'note'], where: { id: '$user.first' } }),
        as: { roles: ['reader'], fields: { first: 2 } },
      })
      expect(status).toBe(200)
      expect(body).toMatchObject({
        explanation: { answer: { outcome: 'runs' } },
        rows: { outcome: 'answered', body: { rows: [[2, 'two']] } },
        columns: { visible: ['id', 'note'], hidden: ['owner'] },
        counts: { seen: 1, all: 2 },
        grants: expect.arrayContaining([expect.objectContaining({ role: 'reader' })]),
        write: null,
      })
      expect(body.explanation.statements[0].sql).toContain('where')
    })

    test('changes nothing: neither rights nor rows', async () => {
      const { token } = await signUp(node)
      const matrix = async () => (await admin('GET', '/permissions/matrix')).body
      const before = await matrix()
      const { body } = await preview({
        permissions: {
          writers: { table: 'main.notes', roles: ['user'], select: {}, update: {}, delete: {} },
        },
        as: undefined,
        token,
        write: { sql: 'delete from main.notes where id = $1', params: [1] },
      })
      expect(body.write.simulation).toMatchObject({ outcome: 'answered', rowCount: 1 })
      const data = await node.call('POST', '/data', {
        token,
        body: { sql: 'select id from main.notes', params: [], method: 'all' },
      })
      expect(data.body.rows).toEqual([])
      expect(await matrix()).toEqual(before)
      expect((await preview({ as: 'admin' })).body.counts).toMatchObject({ seen: 2, all: 2 })
    })

    test('that removes the last grant shows nothing, and a write says why it is refused', async () => {
      const { body } = await preview({
        permissions: { 'own-notes': null },
        write: { sql: "insert into main.notes (note) values ('x')" },
      })
      expect(body).toMatchObject({
        rows: { outcome: 'refused' },
        columns: { visible: [] },
        counts: { seen: 0, all: 2 },
        write: { simulation: { outcome: 'refused', error: 'PERMISSION_DENIED' } },
      })
    })

    test('that forbids aggregates is counted by its rows', async () => {
      const { body } = await preview({ permissions: reads({ aggregate: false }) })
      expect(body.counts).toMatchObject({ seen: 2, all: 2 })
    })

    test('with faults is refused with their paths', async () => {
      const { status, body } = await preview({ permissions: reads({ where: { nothing: 1 } }) })
      expect(status).toBe(422)
      expect(body.details.faults).toEqual([
        expect.objectContaining({
          path: expect.stringMatching(/^permissions\.readers\.select\.where/),
        }),
      ])
    })

    test('is recorded', async () => {
      await preview({ permissions: reads({}) })
      const { body } = await admin('GET', '/audit?kind=admin&limit=1')
      expect(body.entries[0]).toMatchObject({
        action: 'permissions-previewed',
        facts: { table: 'main.notes', permissions: ['readers'] },
      })
    })
  })
}

describe('a permission that is previewed, and then saved', () => {
  beforeEach(async () => {
    node = await openAccounts({}, { config: { mode: 'interactive', audit: { enabled: true } } })
  })
  afterEach(() => node.close())

  const rules = [
    { select: {} },
    { select: { columns: ['id', 'note'], where: { owner: '$user.id' } } },
    { select: { columns: ['id', 'owner'], where: { id: { $gt: 3 } } } },
    { select: { where: { owner: '$user.nothing' } } },
    { select: { where: { $not: { owner: '$user.id' } }, limit: 2 } },
  ]

  test.each(rules)(
    '%j shows a user the rows that POST /data answers with that token',
    async (rights) => {
      const { token, id } = await signUp(node)
      for (let row = 1; row <= 8; row += 1) {
        node.execute(
          `insert into notes values (${row}, '${row % 2 === 0 ? id : 'other'}', 'n${row}')`,
        )
      }
      const rule = { table: 'main.notes', roles: ['user'], ...rights }
      const permissions = { 'own-notes': rule }
      const { body: seen } = await preview({ permissions, as: undefined, token })
      const saved = await admin('PATCH', '/config/permissions', {
        body: permissions,
        headers: { 'if-match': '*' },
      })
      expect(saved.status).toBe(200)
      const ask = (sql: string) =>
        node.call('POST', '/data', {
          token,
          body: { sql, params: [], method: 'all', meta: true },
        })
      const { body: answered } = await ask('select * from main.notes limit 50')
      expect(seen.rows.body.rows).toEqual(answered.rows)
      expect(seen.columns.visible).toEqual(
        answered.columns.map(({ name }: { name: string }) => name),
      )
      const { body: counted } = await ask('select count(*)::int from main.notes')
      expect(counted.rows).toEqual([[seen.counts.seen]])
      expect(seen.counts.all).toBe(8)
    },
  )
})
