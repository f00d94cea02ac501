import { type Log, silentLog } from '@engine/core'
import { type AuditLog, type AuditOptions, createAudit } from '@engine/core/server'
import { openStore } from '@engine/core/store'
import { startPostgres } from '@engine/test-databases'
import { describePostgres } from '@engine/test-databases/vitest'
import {
  openPostgresStore,
  openSqliteStore,
  serviceDatabases,
  type TestStore,
} from '@engine/test-stores'
import Database from 'better-sqlite3'
import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { adminEvent, auditSettings, denialEvent, queryEvent } from './settings.ts'

/** Lines of the log, by their message. */
interface Lines {
  readonly log: Log
  readonly said: (message: string) => readonly object[]
}

function lines(): Lines {
  const all: { readonly facts: object; readonly message: string }[] = []
  const write = (facts: object, message: string) => void all.push({ facts, message })
  return {
    log: { ...silentLog, info: write, warn: write, error: write },
    said: (message) => all.filter((line) => line.message === message).map(({ facts }) => facts),
  }
}

const bounds = { flushMs: 20, queueEntries: 50, batchEntries: 10, waitMs: 300, closeMs: 500 }

function openAudit(options: Pick<AuditOptions, 'store'> & Partial<AuditOptions>) {
  return createAudit({ settings: auditSettings, log: silentLog, bounds, nodeId: 'one', ...options })
}

describePostgres('an audit whose table takes nothing for a while', () => {
  let database: TestStore
  let audit: AuditLog
  let said: Lines['said']
  let blocker: pg.Client

  beforeEach(async () => {
    database = await openPostgresStore()
    const { log, said: found } = lines()
    said = found
    audit = await openAudit({ store: database.store, log })
    blocker = new pg.Client({ connectionString: database.url })
    await blocker.connect()
  })
  afterEach(async () => {
    await blocker.end()
    await audit.close()
    await database.remove()
  })

  const block = () => blocker.query('begin; lock table engine_audit in access exclusive mode')
  const unblock = () => blocker.query('rollback')
  const all = (kind?: 'query' | 'denial' | 'admin' | 'loss') => audit.search({ kind, limit: 1_000 })

  test('drops the oldest statements, keeps everything else, and says how many are missing', async () => {
    await block()
    for (let i = 0; i < 100; i += 1) {
      expect(audit.record(queryEvent(`select ${i}`))).toBeUndefined()
    }
    for (let i = 0; i < 10; i += 1) expect(audit.record(denialEvent(`no ${i}`))).toBeUndefined()
    await unblock()
    await audit.flush()
    await vi.waitFor(async () => expect(await all('denial')).toHaveLength(10), { timeout: 15_000 })
    const queries = await all('query')
    const [loss, ...more] = await all('loss')
    expect(more).toEqual([])
    expect(loss?.facts).toEqual({ queries: 100 - queries.length, others: 0 })
    expect(queries[0]?.sql).toBe('select 99')
    expect(audit.status()).toMatchObject({ lost: 100 - queries.length, queued: 0 })
  })

  test('an audit whose table takes nothing for a while makes refused requests wait for room, and no longer than that', async () => {
    await block()
    const waits: (Promise<void> | undefined)[] = []
    for (let i = 0; i < 80; i += 1) waits.push(audit.record(denialEvent(`no ${i}`)))
    const waiting = waits.filter((wait) => wait !== undefined)
    expect(waiting.length).toBeGreaterThan(10)
    await unblock()
    await Promise.all(waiting)
    await vi.waitFor(async () => expect(await all('denial')).toHaveLength(80), { timeout: 15_000 })
    expect(audit.status().lost).toBe(0)
  })

  test('puts into the log what cannot wait any longer, and lets the request go on', async () => {
    await block()
    const waits = Array.from({ length: 80 }, (_, i) =>
      audit.record(denialEvent(`ada@example.com ${i}`)),
    )
    await Promise.all(waits)
    const lost = said('an entry of the audit could not be written')
    expect(lost).toHaveLength(waits.filter((wait) => wait !== undefined).length)
    expect(JSON.stringify(lost)).not.toContain('ada@example.com')
    await unblock()
    await vi.waitFor(async () => expect(await all('loss')).toHaveLength(1), { timeout: 15_000 })
    expect((await all('loss'))[0]?.facts).toEqual({ queries: 0, others: lost.length })
  })

  test('an audit whose table takes nothing for a while does not let a query wait', async () => {
    await block()
    for (let i = 0; i < 60; i += 1) void audit.record(denialEvent(`no ${i}`))
    expect(audit.record(queryEvent('select 1'))).toBeUndefined()
    await unblock()
  })

  test('an audit whose table takes nothing for a while does not hold up the end of the process: what is not written is in the log then', async () => {
    await block()
    for (let i = 0; i < 30; i += 1) audit.record(denialEvent(`no ${i}`))
    await audit.close()
    const logged = said('an entry of the audit could not be written')
    expect(logged).toHaveLength(30)
    await unblock()
  })
})

describePostgres('an audit whose server goes away', () => {
  test('loses nothing that waits, and goes on when the server is back', async () => {
    const server = await startPostgres({ settings: { synchronous_commit: 'on' } })
    const { log, said } = lines()
    const store = await openStore({ url: server.url, serviceDatabases, log })
    const audit = await openAudit({ store, log, bounds: { ...bounds, queueEntries: 1_000 } })
    try {
      audit.record(denialEvent('before'))
      await audit.flush()
      await server.kill()
      for (let i = 0; i < 100; i += 1) audit.record(denialEvent(`while away ${i}`))
      await vi.waitFor(() => expect(audit.status().isFailing).toBe(true), { timeout: 15_000 })
      expect(() => audit.requireWritable()).toThrow(expect.objectContaining({ status: 503 }))
      await server.restart()
      await vi.waitFor(async () => expect(await audit.search({ limit: 1_000 })).toHaveLength(101), {
        timeout: 20_000,
      })
      audit.requireWritable()
      expect(audit.status()).toMatchObject({ isFailing: false, lost: 0, written: 101 })
      expect(said('the audit cannot be written; trying again')).toHaveLength(1)
      expect(said('the audit is written again')).toHaveLength(1)
    } finally {
      await audit.close()
      await store.close()
      await server.stop()
    }
  })

  test('an audit whose server goes away starts without it, and makes its tables when it comes', async () => {
    const server = await startPostgres({})
    await server.kill()
    const store = await openStore({ url: server.url, serviceDatabases })
    const audit = await openAudit({ store })
    try {
      audit.record(adminEvent({ number: 1 }))
      await server.restart()
      await vi.waitFor(async () => expect(await audit.search({ limit: 10 })).toHaveLength(1), {
        timeout: 20_000,
      })
    } finally {
      await audit.close()
      await store.close()
      await server.stop()
    }
  })
})

describe('an audit in a file', () => {
  let database: TestStore
  let audit: AuditLog
  let output: Lines

  beforeEach(async () => {
    database = await openSqliteStore()
    output = lines()
    audit = await openAudit({ store: database.store, log: output.log })
  })
  afterEach(async () => {
    await audit.close()
    await database.remove()
  })

  /** Records entries while nothing can be written, then makes that possible. */
  async function recordWhileFailing(failing: AuditLog, repair: () => Promise<void>): Promise<void> {
    const text = `'${'x'.repeat(9_000)}'`
    for (let i = 0; i < 40; i += 1) failing.record({ ...denialEvent(text), sql: text } as never)
    await vi.waitFor(() => expect(failing.status().isFailing).toBe(true), { timeout: 15_000 })
    expect(() => failing.requireWritable()).toThrow(expect.objectContaining({ status: 503 }))
    await repair()
    await vi.waitFor(async () => expect(await failing.search({ limit: 100 })).toHaveLength(40), {
      timeout: 15_000,
    })
    expect(failing.status()).toMatchObject({ isFailing: false, lost: 0 })
  }

  test('an audit in a file waits while there is no room', async () => {
    // The limit is one of a connection, and a database in memory has only one.
    const store = await openStore({ url: ':memory:', serviceDatabases })
    const own = await openAudit({ store })
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(store.database)
    const pages = sql.lit(rows[0]?.page_count ?? 0)
    await sql`pragma max_page_count = ${pages}`.execute(store.database)
    await recordWhileFailing(own, async () => {
      await sql`pragma max_page_count = 1000000`.execute(store.database)
    })
    await own.close()
    await store.close()
  })

  test('an audit in a file waits while another program has locked the file', async () => {
    const other = new Database(database.url)
    other.exec('begin immediate')
    await recordWhileFailing(audit, async () => {
      other.exec('rollback')
      other.close()
    })
  })

  test('an audit in a file gives up an entry that is refused by itself, and writes the others', async () => {
    const { database: tables } = database.store
    await sql`
      create trigger refuse before insert on engine_audit when new.sql_text = 'refused'
      begin select raise(abort, 'refused'); end
    `.execute(tables)
    for (const text of ['select 1', 'refused', 'select 2']) audit.record(queryEvent(text))
    await audit.flush()
    await vi.waitFor(
      async () => {
        const entries = await audit.search({ limit: 10 })
        expect(entries.map((entry) => entry.sql ?? entry.facts)).toEqual([
          { queries: 0, others: 1 },
          'select 2',
          'select 1',
        ])
      },
      { timeout: 15_000 },
    )
    expect(output.said('an entry of the audit could not be written')).toHaveLength(1)
  })

  test('an audit in a file writes the entries of a batch one by one where the database refuses it', async () => {
    const { database: tables } = database.store
    await sql`
      create trigger refuse before insert on engine_audit_batch
      begin select raise(abort, 'refused'); end
    `.execute(tables)
    const texts = Array.from({ length: 40 }, (_, i) => `select ${i}`)
    for (const text of texts) audit.record(queryEvent(text))
    await audit.flush()
    const entries = await audit.search({ limit: 100 })
    expect(entries.map((entry) => entry.sql)).toEqual(texts.toReversed())
    expect(output.said('an entry of the audit could not be written')).toEqual([])
  })

  test('writes into the log too, where that is wanted: the same, redacted', async () => {
    const { log, said } = lines()
    const loud = await openAudit({
      store: database.store,
      log,
      settings: { ...auditSettings, logSink: true },
    })
    loud.record(queryEvent("select 'ada@example.com'"))
    await loud.close()
    const [entry] = await audit.search({ limit: 1 })
    expect(entry?.sql).toBe("select '[email]'")
    expect(said('audit')).toEqual([{ audit: entry }])
  })

  test('an audit in a file counts refusals of strangers that come without end, instead of keeping each', async () => {
    const roomy = await openAudit({ store: database.store, bounds: { queueEntries: 1_000 } })
    for (let i = 0; i < 150; i += 1) roomy.record({ ...denialEvent('no'), caller: undefined })
    await roomy.close()
    const entries = await audit.search({ kind: 'denial', limit: 1_000 })
    expect(entries).toHaveLength(101)
    expect(entries.filter(({ facts }) => facts !== null)).toMatchObject([
      { ip: '192.0.2.1', error: 'PERMISSION_DENIED', facts: { repeated: 50 } },
    ])
  })

  test('an audit in a file takes no event after its end', async () => {
    await audit.close()
    expect(audit.record(denialEvent('late'))).toBeUndefined()
    expect(output.said('an entry of the audit could not be written')).toHaveLength(1)
  })
})
