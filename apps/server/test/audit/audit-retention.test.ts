import { silentLog } from '@engine/core'
import { type AuditLog, createAudit } from '@engine/core/server'
import { eachStore, type TestStore } from '@engine/test-stores'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { auditSettings, queryEvent } from './settings.ts'

const day = 86_400_000

eachStore('entries of the audit that are too old', (open, kind) => {
  let database: TestStore
  const audits: AuditLog[] = []

  const openAudit = async (nowMs: number, nodeId: string) => {
    const audit = await createAudit({
      settings: { ...auditSettings, retentionMs: 10 * day },
      store: database.store,
      log: silentLog,
      clock: () => nowMs,
      nodeId,
    })
    audits.push(audit)
    return audit
  }
  const write = async (nowMs: number, count: number) => {
    const audit = await openAudit(nowMs, 'writer')
    for (let i = 0; i < count; i += 1) audit.record(queryEvent(`select ${i}`))
    await audit.close()
  }
  const leases = () =>
    database.store.database.selectFrom('engine_audit_lease').select(['name', 'holder']).execute()
  const count = async (audit: AuditLog) => (await audit.search({ limit: 10_000 })).length

  beforeEach(async () => {
    database = await open()
  })
  afterEach(async () => {
    await Promise.all(audits.splice(0).map((audit) => audit.close()))
    await database.remove()
  })

  test('entries of the audit that are too old are deleted, thousands of them; those that are not stay', async () => {
    const start = Date.parse('2026-01-01T00:00:00Z')
    await write(start, 2_300)
    await write(start + 5 * day, 20)
    const audit = await openAudit(start + 11 * day, 'one')
    await vi.waitFor(async () => expect(await count(audit)).toBe(20), { timeout: 20_000 })
  })

  test('entries of the audit that are too old are deleted by one node at a time', async () => {
    const start = Date.parse('2026-01-01T00:00:00Z')
    await write(start, 10)
    const nodes = await Promise.all([
      openAudit(start + 11 * day, 'one'),
      openAudit(start + 11 * day, 'two'),
    ])
    await vi.waitFor(async () => expect(await count(nodes[0])).toBe(0), { timeout: 20_000 })
    expect(await leases()).toEqual([
      { name: 'retention', holder: expect.stringMatching(/^(one|two)$/) },
    ])
  })

  test('entries of the audit that are too old are deleted at once by the node that takes over from one that stopped', async () => {
    const start = Date.parse('2026-01-01T00:00:00Z')
    await write(start, 10)
    const one = await openAudit(start + day, 'one')
    await vi.waitFor(async () => expect(await leases()).toHaveLength(1), { timeout: 20_000 })
    await one.close()
    expect(await leases()).toEqual([])
    const two = await openAudit(start + 11 * day, 'two')
    await vi.waitFor(async () => expect(await count(two)).toBe(0), { timeout: 20_000 })
  })

  if (kind !== 'sqlite') {
    test('entries of the audit that are too old are not those that only a node with a wrong clock takes for old', async () => {
      const nowMs = Date.now()
      await write(nowMs, 10)
      await write(nowMs - 11 * day, 10)
      const ahead = await openAudit(nowMs + 365 * day, 'ahead')
      await vi.waitFor(async () => expect(await count(ahead)).toBe(10), { timeout: 20_000 })
    })
  }
})
