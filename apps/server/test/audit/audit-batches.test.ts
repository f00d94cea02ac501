import type { AuditEntry } from '@engine/contract/admin-api'
import { silentLog } from '@engine/core'
import { type AuditFilter, type AuditLog, createAudit, type QueryEvent } from '@engine/core/server'
import { eachStore, type TestStore } from '@engine/test-stores'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { adminEvent, auditSettings, denialEvent, queryEvent } from './settings.ts'

const start = Date.parse('2026-01-01T00:00:00.000Z')

/** Within a statement: JSON spells the second one in another way. */
const notes = ['note', '"a\\"\n ÄÖ"'] as const

const users = Array.from({ length: 9 }, (_, i) => ({ via: 'http', caller: `user-${i}` }))

/** The last one is how earlier versions stored the engine's own statements. */
const callers: readonly Partial<QueryEvent>[] = [
  ...users,
  { via: 'admin', caller: 'admin' },
  { via: 'http', caller: 'system' },
  { via: 'system', caller: 'user-1' },
  { via: 'system', caller: 'system' },
  { via: 'system', caller: 'admin' },
]

const isOwn = ({ via, caller }: AuditEntry) => via === 'system' && caller === 'system'

/** The same numbers each time. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

eachStore('entries that are stored in batches', (open) => {
  let database: TestStore
  let nowMs: number
  const audits: AuditLog[] = []

  const openAudit = async (nodeId: string, store = database.store) => {
    const audit = await createAudit({
      settings: { ...auditSettings, logParams: true },
      store,
      log: silentLog,
      clock: () => nowMs,
      nodeId,
    })
    audits.push(audit)
    return audit
  }
  const batches = () =>
    database.store.database
      .selectFrom('engine_audit_batch')
      .select(['id', 'first_id', 'entry_count'])
      .orderBy('id')
      .execute()
  const stored = async (audit: AuditLog) => {
    const entries: AuditEntry[] = []
    for await (const text of audit.export('ndjson', { includeSystem: true })) {
      for (const line of text.trimEnd().split('\n')) entries.push(JSON.parse(line) as AuditEntry)
    }
    return entries
  }

  /** Statements in bursts and alone, of callers and of the engine itself, refusals between them; by two nodes whose clocks differ. */
  const recordMany = async () => {
    const random = numbers(7)
    const [one, two] = [await openAudit('one'), await openAudit('two', await database.openAgain())]
    nowMs = start
    for (let burst = 0; burst < 40; burst += 1) {
      const length = random(3) === 0 ? random(20) : 20 + random(60)
      for (let i = 0; i < length; i += 1) {
        const more: Partial<QueryEvent> = {
          ...callers[random(callers.length)],
          correlationId: `request-${burst}-${i}`,
          connection: random(2) === 0 ? 'main' : 'other',
          error: random(10) === 0 ? 'CONFLICT' : undefined,
        }
        nowMs += random(3) === 0 ? random(200) : 0
        const audit = random(4) === 0 ? two : one
        audit.record(queryEvent(`select ${random(5)} /* ${burst} ${notes[random(2)]} */`, more))
        if (random(50) === 0) audit.record(denialEvent(`no ${i}`))
      }
      if (random(3) === 0) await Promise.all([one.flush(), two.flush()])
      nowMs += random(2_500)
    }
    await Promise.all([one.flush(), two.flush()])
    return one
  }

  beforeEach(async () => {
    nowMs = start
    database = await open()
  })
  afterEach(async () => {
    await Promise.all(audits.splice(0).map((audit) => audit.close()))
    await database.remove()
  })

  test('entries that are stored in batches are found by each filter, on each page, as those with rows of their own are', {
    timeout: 60_000,
  }, async () => {
    const audit = await recordMany()
    const all = await stored(audit)
    const inBatches = (await batches()).reduce((sum, each) => sum + each.entry_count, 0)
    expect(inBatches).toBeGreaterThan(500)
    expect(inBatches).toBeLessThan(all.length - 100)
    expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).toSorted())
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)

    const middle = start + 40_000
    const one = all[Math.floor(all.length / 2)]
    const filters: readonly [AuditFilter, (entry: AuditEntry) => boolean][] = [
      [{}, () => true],
      [{ includeSystem: true }, () => true],
      [{ caller: 'system' }, isOwn],
      [{ caller: 'system', includeSystem: true }, isOwn],
      [{ caller: 'system', connection: 'main' }, (e) => isOwn(e) && e.connection === 'main'],
      [{ caller: 'admin' }, ({ via, caller }) => caller === 'admin' && via === 'admin'],
      [{ caller: 'admin', includeSystem: true }, ({ caller }) => caller === 'admin'],
      [{ text: 'select 4', includeSystem: true }, ({ sql: text }) => !!text?.includes('select 4')],
      [{ kind: 'query' }, ({ kind }) => kind === 'query'],
      [{ kind: 'denial' }, ({ kind }) => kind === 'denial'],
      [{ caller: 'user-3' }, ({ caller }) => caller === 'user-3'],
      [{ caller: 'user-33' }, () => false],
      [{ correlationId: one?.correlationId ?? '' }, (e) => e.correlationId === one?.correlationId],
      [{ connection: 'other' }, ({ connection }) => connection === 'other'],
      [{ error: '*' }, ({ error }) => error !== null],
      [{ error: 'CONFLICT' }, ({ error }) => error === 'CONFLICT'],
      [{ text: 'SELECT 4' }, ({ sql: text }) => text?.includes('select 4') === true],
      [{ text: '"a\\"\n äö" */' }, ({ sql: text }) => text?.includes('"a\\"\n ÄÖ" */') === true],
      [{ text: '[7,"[email]"]' }, ({ params }) => params !== null],
      [{ sinceMs: middle }, ({ at }) => Date.parse(at) >= middle],
      [{ untilMs: middle }, ({ at }) => Date.parse(at) < middle],
      [
        { caller: 'user-1', connection: 'main', sinceMs: middle - 9_000, untilMs: middle },
        ({ caller, connection, at }) =>
          caller === 'user-1' &&
          connection === 'main' &&
          Date.parse(at) >= middle - 9_000 &&
          Date.parse(at) < middle,
      ],
    ]
    for (const [filter, isExpected] of filters) {
      const { caller, includeSystem = false } = filter
      const isShown = (entry: AuditEntry) => caller === 'system' || includeSystem || !isOwn(entry)
      const expected = all.filter((entry) => isShown(entry) && isExpected(entry)).toReversed()
      const found: AuditEntry[] = []
      for (let before: string | undefined; ; ) {
        const page = await audit.search({ ...filter, before, limit: 97 })
        found.push(...page)
        before = page.at(-1)?.id
        if (page.length < 97) break
      }
      expect(found, JSON.stringify(filter)).toEqual(expected)
    }
  })

  test('span a second at most, and one statement after the other', async () => {
    await recordMany()
    const timeOf = (id: string) => Number.parseInt(id.replace('-', '').slice(0, 12), 16)
    const found = await batches()
    expect(found.length).toBeGreaterThan(10)
    for (const { id, first_id: firstId, entry_count: count } of found) {
      expect(timeOf(id) - timeOf(firstId)).toBeLessThanOrEqual(1_000)
      expect(count).toBeGreaterThanOrEqual(16)
    }
  })

  test('entries that are stored in batches are rows of the view, like all others', async () => {
    const audit = await recordMany()
    const all = await stored(audit)
    const { rows } = await sql<Record<string, string | number | null>>`
      select * from engine_audit_entries order by id
    `.execute(database.store.database)
    expect(
      rows.map((row) => ({
        id: row.id,
        at: new Date(Number(row.at)).toISOString(),
        node: row.node,
        kind: row.kind,
        via: row.via,
        correlationId: row.correlation_id,
        ip: row.ip,
        caller: row.via === 'system' && row.caller === 'admin' ? 'system' : row.caller,
        roles: JSON.parse(String(row.roles)),
        credentialId: row.credential_id,
        connection: row.connection,
        action: row.action,
        sql: row.sql_text,
        params: JSON.parse(String(row.params)),
        durationMs: row.duration_us === null ? null : Number(row.duration_us) / 1_000,
        rowCount: row.row_count === null ? null : Number(row.row_count),
        error: row.error,
        message: row.message,
        facts: JSON.parse(String(row.facts)),
      })),
    ).toEqual(all)
  })

  test('entries that are stored in batches are deleted when they are too old, and no others', async () => {
    await recordMany()
    const before = (await batches()).length
    const later = start + 20_000
    nowMs = start + 90 * 86_400_000 + 20_000
    const audit = await openAudit('later')
    const oldest = async () => (await stored(audit))[0]?.at ?? ''
    await vi.waitFor(
      async () => expect(Date.parse(await oldest())).toBeGreaterThanOrEqual(later - 1_000),
      { timeout: 20_000 },
    )
    const left = (await batches()).length
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThan(before)
  })

  test('entries that are stored in batches are those of statements alone', async () => {
    const audit = await openAudit('one')
    for (let i = 0; i < 50; i += 1) audit.record(adminEvent({ i }))
    for (let i = 0; i < 15; i += 1) audit.record(queryEvent(`select ${i}`))
    await audit.flush()
    expect(await batches()).toEqual([])
    expect(await stored(audit)).toHaveLength(65)
  })
})
