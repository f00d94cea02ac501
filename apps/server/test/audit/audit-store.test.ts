import { silentLog } from '@engine/core'
import { type AuditLog, createAudit, isEntryId } from '@engine/core/server'
import { eachStore, type TestStore } from '@engine/test-stores'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { adminEvent, auditSettings, denialEvent, queryEvent } from './settings.ts'

const secret = 'a secret of at least thirty-two bytes'

async function exported(audit: AuditLog, format: 'ndjson' | 'csv', filter = {}): Promise<string> {
  let text = ''
  for await (const piece of audit.export(format, filter)) text += piece
  return text
}

eachStore('the audit', (open) => {
  let database: TestStore
  let audit: AuditLog
  let nowMs: number
  const clock = () => nowMs

  const openAudit = (settings = {}, store = database.store, nodeId = 'one') =>
    createAudit({
      settings: { ...auditSettings, ...settings },
      store,
      log: silentLog,
      clock,
      nodeId,
      secret,
    })

  beforeEach(async () => {
    nowMs = Date.parse('2026-01-01T00:00:00.000Z')
    database = await open()
    audit = await openAudit()
  })
  afterEach(async () => {
    await audit.close()
    await database.remove()
  })

  test('an event is kept with all its facts, values left out unless they are wanted', async () => {
    audit.record(queryEvent('select $1'))
    await audit.flush()
    const [entry, ...others] = await audit.search({ limit: 10 })
    expect(others).toEqual([])
    expect(entry).toEqual({
      id: expect.toSatisfy(isEntryId),
      at: '2026-01-01T00:00:00.000Z',
      node: 'one',
      kind: 'query',
      via: 'http',
      correlationId: 'request-1',
      ip: '192.0.2.1',
      caller: 'ada',
      roles: ['clerk'],
      credentialId: 'session-1',
      connection: 'main',
      action: null,
      sql: 'select $1',
      params: null,
      durationMs: 1.5,
      rowCount: 1,
      error: null,
      message: null,
      facts: null,
    })
  })

  test('values that are wanted lose personal data, as SQL and messages do', async () => {
    const open = await openAudit({ logParams: true })
    open.record(queryEvent("select 'bob@example.com', $1, $2"))
    open.record(denialEvent('no: call +1 415 555 2671'))
    await open.close()
    const [denial, query] = await audit.search({ limit: 10 })
    expect(query).toMatchObject({ sql: "select '[email]', $1, $2", params: [7, '[email]'] })
    expect(denial).toMatchObject({ message: 'no: call [phone]' })
  })

  test('without redaction everything is kept', async () => {
    const open = await openAudit({ logParams: true, piiRedaction: false })
    open.record(queryEvent("select 'bob@example.com', $1, $2"))
    await open.close()
    const [query] = await audit.search({ limit: 10 })
    expect(query).toMatchObject({
      sql: "select 'bob@example.com', $1, $2",
      params: [7, 'ada@example.com'],
    })
  })

  test('events of one account are found by its address, which is not kept', async () => {
    audit.record(adminEvent({ email: 'Ada@Example.com' }))
    audit.record(queryEvent('select 1', { caller: 'ada@example.com' }))
    await audit.flush()
    const [byCaller] = await audit.search({ caller: 'ada@example.com', limit: 10 })
    expect(byCaller).toMatchObject({
      kind: 'query',
      caller: expect.stringMatching(/^email:[0-9a-f]{32}$/),
    })
    const [byText] = await audit.search({ text: 'ada@example.com', limit: 10 })
    expect(byText).toMatchObject({ kind: 'admin', facts: { email: byCaller?.caller } })
  })

  test('texts that databases have trouble with are kept, the characters that none keeps replaced', async () => {
    const hostile = `select '\u0000', '\ud800', '😀', 'ö', '\\', '%_!'`
    audit.record(queryEvent(hostile))
    await audit.flush()
    const [entry] = await audit.search({ limit: 1 })
    expect(entry?.sql).toBe(`select '\uFFFD', '\uFFFD', '😀', 'ö', '\\', '%_!'`)
  })

  test('what is long is cut, and says so', async () => {
    audit.record(queryEvent(`select '${'x'.repeat(1_000_000)}'`))
    await audit.flush()
    const [entry] = await audit.search({ limit: 1 })
    expect(entry?.sql?.length).toBeLessThan(10_100)
    expect(entry?.sql).toMatch(/…\[\+\d{6}\]$/)
  })

  test('every filter narrows, and they narrow together', async () => {
    audit.record(queryEvent('select 100%', { caller: 'ada', correlationId: 'r1' }))
    nowMs += 1_000
    audit.record(queryEvent('select 1000', { caller: 'bob', error: 'CONFLICT' }))
    audit.record(queryEvent('select x', { caller: 'bob', connection: 'other' }))
    nowMs += 1_000
    audit.record(adminEvent({ note: 'About BOB' }))
    await audit.flush()
    const found = async (filter: object) =>
      (await audit.search({ ...filter, limit: 10 })).map(({ sql, kind }) => sql ?? kind)
    expect(await found({})).toEqual(['admin', 'select x', 'select 1000', 'select 100%'])
    expect(await found({ kind: 'admin' })).toEqual(['admin'])
    expect(await found({ caller: 'bob' })).toEqual(['select x', 'select 1000'])
    expect(await found({ caller: 'bob', connection: 'main' })).toEqual(['select 1000'])
    expect(await found({ error: 'CONFLICT' })).toEqual(['select 1000'])
    expect(await found({ error: '*' })).toEqual(['select 1000'])
    expect(await found({ action: 'user-updated' })).toEqual(['admin'])
    expect(await found({ correlationId: 'r1' })).toEqual(['select 100%'])
    expect(await found({ text: '100%' })).toEqual(['select 100%'])
    expect(await found({ text: 'about bob' })).toEqual(['admin'])
    expect(await found({ text: "' or 1=1 --" })).toEqual([])
    const second = Date.parse('2026-01-01T00:00:01.000Z')
    expect(await found({ sinceMs: second })).toEqual(['admin', 'select x', 'select 1000'])
    expect(await found({ untilMs: second })).toEqual(['select 100%'])
    expect(await found({ sinceMs: second, untilMs: second + 1 })).toEqual([
      'select x',
      'select 1000',
    ])
  })

  test('a search finds what lies far back, and ends where there is nothing', async () => {
    audit.record(queryEvent('select needle'))
    nowMs += 1_000
    for (let i = 0; i < 2_500; i += 1) audit.record(queryEvent(`select ${i % 7}`))
    nowMs += 1_000
    audit.record(queryEvent('select needle'))
    await audit.flush()
    const found = async (filter: object, limit = 10) =>
      (await audit.search({ ...filter, limit })).map(({ at }) => at.slice(17, 19))
    expect(await found({ text: 'needle' })).toEqual(['02', '00'])
    expect(await found({ text: 'needle' }, 1)).toEqual(['02'])
    expect(await found({ text: 'needle', untilMs: nowMs })).toEqual(['00'])
    expect(await found({ text: 'needle', sinceMs: nowMs })).toEqual(['02'])
    expect(await found({ text: 'nothing' })).toEqual([])
    const [newest] = await audit.search({ text: 'needle', limit: 1 })
    expect(await found({ text: 'needle', before: newest?.id })).toEqual(['00'])
    expect((await exported(audit, 'ndjson', { text: 'needle' })).split('\n')).toHaveLength(3)
  })

  test('pages follow each other without a gap', async () => {
    for (let i = 0; i < 25; i += 1) audit.record(queryEvent(`select ${i}`))
    await audit.flush()
    const seen: (string | null)[] = []
    let before: string | undefined
    for (;;) {
      const page = await audit.search({ before, limit: 10 })
      seen.push(...page.map(({ sql }) => sql))
      before = page.at(-1)?.id
      if (page.length < 10) break
    }
    expect(seen).toEqual(Array.from({ length: 25 }, (_, i) => `select ${24 - i}`))
  })

  test('everything comes out in order, in both formats', async () => {
    const count = 1_203
    for (let i = 0; i < count; i += 1) audit.record(queryEvent(`select ${i}`))
    audit.record(adminEvent({}))
    await audit.flush()
    const lines = (await exported(audit, 'ndjson', { kind: 'query' })).trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).sql)).toEqual(
      Array.from({ length: count }, (_, i) => `select ${i}`),
    )
    const csv = (await exported(audit, 'csv')).trimEnd().split('\r\n')
    expect(csv).toHaveLength(count + 2)
    expect(await exported(audit, 'ndjson', { kind: 'auth' })).toBe('')
  })

  test('several nodes write into one audit', async () => {
    const other = await openAudit({}, await database.openAgain(), 'two')
    const events = Array.from({ length: 300 }, (_, i) => queryEvent(`select ${i}`))
    for (const [i, event] of events.entries()) (i % 2 === 0 ? audit : other).record(event)
    await Promise.all([audit.flush(), other.close()])
    const entries = await audit.search({ limit: 1_000 })
    expect(entries).toHaveLength(300)
    expect(new Set(entries.map(({ node }) => node))).toEqual(new Set(['one', 'two']))
  })

  test('close writes what waits', async () => {
    const store = await database.openAgain()
    const other = await openAudit({}, store, 'two')
    for (let i = 0; i < 500; i += 1) other.record(queryEvent(`select ${i}`))
    await other.close()
    expect(await audit.search({ limit: 1_000 })).toHaveLength(500)
  })

  test('when it is off nothing is recorded, and what was can still be read', async () => {
    audit.record(queryEvent('select 1'))
    await audit.flush()
    const off = await openAudit({ enabled: false })
    off.record(queryEvent('select 2'))
    off.record(adminEvent({}))
    await off.flush()
    expect((await off.search({ limit: 10 })).map(({ sql }) => sql)).toEqual(['select 1'])
    await off.close()
  })
})
