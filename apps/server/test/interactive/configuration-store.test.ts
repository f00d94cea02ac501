import { openConfigurationStore } from '@engine/core/server'
import { eachStore, type TestStore } from '@engine/test-stores'
import { afterEach, beforeEach, expect, test } from 'vitest'

const masterKey = 'a master key of at least thirty-two bytes'
const otherKey = 'another master key, thirty-two bytes too'
const author = { author: 'admin', via: 'admin', note: null }
const document = {
  connections: { main: 'postgres://shop:pa55word@db.test/shop' },
  limits: { maxRows: 5 },
}

eachStore('stored configurations', (open) => {
  let database: TestStore
  beforeEach(async () => {
    database = await open()
  })
  afterEach(() => database.remove())

  const openAs = (key: string) =>
    openConfigurationStore({ store: database.store, masterKey: key, clock: () => 1_000 })

  test('stored configurations are numbered revisions with their changes, and advance the change counter', async () => {
    const configurations = await openAs(masterKey)
    expect(await configurations.newestNumber()).toBeUndefined()
    const base = await configurations.add({ base: undefined, document, ...author })
    const before = await database.store.changeCount()
    const next = { ...document, limits: { maxRows: 6 } }
    const changed = { base, document: next, ...author, note: 'more, naïve 🎈' }
    expect(await configurations.add(changed)).toMatchObject({ revision: 2 })
    expect(await database.store.changeCount()).not.toBe(before)
    expect(await configurations.newestNumber()).toBe(2)
    expect(await configurations.newest()).toEqual({
      revision: 2,
      at: '1970-01-01T00:00:01.000Z',
      ...author,
      note: 'more, naïve 🎈',
      changes: [{ path: 'limits.maxRows', before: 5, after: 6 }],
      document: next,
    })
    expect((await configurations.revision(1))?.document).toEqual(document)
    const numbers = async (before?: number) =>
      (await configurations.list({ limit: 5, before })).map(({ revision }) => revision)
    expect(await numbers()).toEqual([2, 1])
    expect(await numbers(2)).toEqual([1])
  })

  test('of two changes of one revision, the second is a conflict', async () => {
    const configurations = await openAs(masterKey)
    const base = await configurations.add({ base: undefined, document, ...author })
    const results = await Promise.allSettled(
      [1, 2, 3].map((maxRows) =>
        configurations.add({ base, document: { ...document, limits: { maxRows } }, ...author }),
      ),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ problem: 'conflict' })
    }
    expect(await configurations.newestNumber()).toBe(2)
  })

  test('stored configurations have no secrets in the database, and open with another master key once re-encrypted', async () => {
    const configurations = await openAs(masterKey)
    await configurations.add({ base: undefined, document, ...author })
    const rows = await database.store.database.selectFrom('engine_config').selectAll().execute()
    expect(JSON.stringify(rows)).not.toMatch(/pa55word/)
    const others = await openAs(otherKey)
    await expect(others.newest()).rejects.toThrow('another masterKey')
    await expect(others.rekey([])).rejects.toThrow('another masterKey')
    expect(await others.rekey([masterKey])).toBe(1)
    expect((await others.newest())?.document).toEqual(document)
    await expect(configurations.newest()).rejects.toThrow('another masterKey')
  })
})
