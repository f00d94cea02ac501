import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { GatewayError } from '@engine/core'
import { afterEach, expect, test, vi } from 'vitest'
import type { CatalogScope } from '../../src/catalog/wire-catalog.ts'
import { ask, askOne, runOf, scopeOf, shopKeyed, sqlStateOf } from '../support/ask-catalog.ts'
import { children } from '../support/child-processes.ts'
import { type OpenCatalog, openCatalog } from '../support/open-catalog.ts'

const opened: OpenCatalog[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ catalog }) => catalog.close()))
})

function open(...options: Parameters<typeof openCatalog>): OpenCatalog['catalog'] {
  const one = openCatalog(...options)
  opened.push(one)
  return one.catalog
}

const keyed = (key: string): CatalogScope => scopeOf({ visible: shopKeyed(key) })

/** The processes of all instances, after a question of this scope. */
async function instancesAfter(
  catalog: OpenCatalog['catalog'],
  scope: CatalogScope = scopeOf(),
): Promise<readonly string[]> {
  await ask(catalog, 'select 1', scope)
  return children()
}

/** The instance does not end during the test. */
const endless = 'select count(*) from generate_series(1, 1e12)'

test('clients who see the same share one instance, also while it starts', async () => {
  const catalog = open({ maxWaitMs: 60_000 })
  const asked = Array.from({ length: 5 }, () => askOne(catalog, 'select 1'))
  await Promise.all(asked)
  expect(children()).toHaveLength(1)
})

test('clients who see something else have another one', async () => {
  const catalog = open()
  await Promise.all([
    ask(catalog, 'select 1', keyed('one')),
    ask(catalog, 'select 1', keyed('other')),
  ])
  expect(children()).toHaveLength(2)
})

test('while a newer catalog is built an older one serves that shows nothing else', async () => {
  const catalog = open({ maxFreshMs: 0 })
  const hasNewer = (scope = keyed('newer')) =>
    askOne(catalog, "select count(*) from pg_class where relname = 'only newer'", scope)
  expect(await hasNewer(scopeOf())).toBe('0')
  expect(await hasNewer()).toBe('0')
  await vi.waitFor(async () => expect(await hasNewer()).toBe('1'), { timeout: 30_000 })
  const narrower = scopeOf({ visible: { key: 'narrower', connections: [] } })
  expect(
    await askOne(catalog, 'select count(*) from information_schema.tables', narrower),
  ).not.toBe(await askOne(catalog, 'select count(*) from information_schema.tables'))
})

test('a statement that takes too long is stopped, and the next one finds a new instance', async () => {
  const catalog = open()
  const before = await instancesAfter(catalog)
  await expect(catalog.run(runOf(endless, { timeoutMs: 200 }), scopeOf())).rejects.toMatchObject({
    sqlState: '57014',
    message: 'canceling statement due to statement timeout',
  })
  const after = await instancesAfter(catalog)
  expect(after).toHaveLength(1)
  expect(after).not.toEqual(before)
})

test('a statement is stopped by its client, who waits for nothing', async () => {
  const catalog = open()
  await ask(catalog, 'select 1')
  const cancel = new AbortController()
  const running = catalog.run(runOf(endless, { signal: cancel.signal }), scopeOf())
  setTimeout(() => cancel.abort(), 50)
  await expect(running).rejects.toMatchObject({
    sqlState: '57014',
    message: 'canceling statement due to user request',
  })
  const aborted = AbortSignal.abort()
  expect(await sqlStateOf(catalog, 'select 1', scopeOf(), { signal: aborted })).toBe('57014')
  expect(await askOne(catalog, 'select 1')).toBe('1')
})

test('the catalogs have the same numbers after a restart', async () => {
  const catalog = open()
  const oid = `select 'main.orders'::regclass::oid`
  const before = await askOne(catalog, oid)
  expect(await sqlStateOf(catalog, endless, scopeOf(), { timeoutMs: 50 })).toBe('57014')
  expect(await askOne(catalog, oid)).toBe(before)
})

test('a slow statement does not stop others for long', async () => {
  const catalog = open({ maxWaitMs: 50 })
  await ask(catalog, 'select 1')
  const cancel = new AbortController()
  const slow = sqlStateOf(catalog, endless, scopeOf(), { signal: cancel.signal })
  expect(await askOne(catalog, 'select 1')).toBe('1')
  cancel.abort()
  expect(await slow).toBe('57014')
})

test('a caller with many slow statements does not keep others waiting', async () => {
  const catalog = open({ maxWaitMs: 50 })
  const as = (callerKey: string) => ({ ...scopeOf(), callerKey })
  await askOne(catalog, 'select 1', as('eve'))
  const cancel = new AbortController()
  const more = { signal: cancel.signal, timeoutMs: 60_000 }
  const hogs = Array.from({ length: 20 }, () => sqlStateOf(catalog, endless, as('eve'), more))
  await vi.waitFor(() => expect(children()).toHaveLength(2), 20_000)
  expect(await askOne(catalog, 'select 2', as('ada'))).toBe('2')
  cancel.abort()
  expect(new Set(await Promise.all(hogs))).toEqual(new Set(['57014']))
})

test('callers who wait take turns, however many questions one of them has sent', async () => {
  const catalog = open({ maxInstances: 1 })
  await ask(catalog, 'select 1')
  const ended: string[] = []
  const asked = async (callerKey: string, sql: string) => {
    await askOne(catalog, sql, { ...scopeOf(), callerKey })
    ended.push(callerKey)
  }
  const short = 'select count(*) from generate_series(1, 1000)'
  const eves = Array.from({ length: 5 }, () => asked('eve', short))
  await Promise.all([...eves, asked('ada', 'select 1'), asked('bob', 'select 1')])
  expect(ended).toEqual(['eve', 'ada', 'bob', 'eve', 'eve', 'eve', 'eve'])
})

test('a question has its own time, whatever the client has', async () => {
  const catalog = open({ questionMs: 300 })
  await ask(catalog, 'select 1')
  const more = { timeoutMs: 60_000 }
  expect(await sqlStateOf(catalog, endless, scopeOf(), more)).toBe('57014')
  expect(await askOne(catalog, 'select 1')).toBe('1')
})

test.each([
  'select pg_sleep(60)',
  "select pg_sleep_for('1 minute')",
  "select pg_catalog.pg_sleep_until(now() + '1 minute')",
  'select 1 from pg_class where pg_sleep(60) is null',
])('nobody sleeps there: %s', async (sql) => {
  expect(await sqlStateOf(open(), sql)).toBe('0A000')
})

test('the number of instances is limited; the one idle for longest makes room', async () => {
  const catalog = open({ maxInstances: 2 })
  const [first] = await instancesAfter(catalog, keyed('first'))
  const both = await instancesAfter(catalog, keyed('second'))
  await ask(catalog, 'select 1', keyed('third'))
  await vi.waitFor(() => expect(children()).not.toContain(first))
  const latest = children()
  expect(latest).toHaveLength(2)
  expect(latest).toEqual(expect.arrayContaining(both.filter((pid) => pid !== first)))
  expect(await instancesAfter(catalog, keyed('second'))).toEqual(latest)
})

test('an instance that is not used ends', async () => {
  const catalog = open({ idleMs: 50 })
  await ask(catalog, 'select 1')
  await vi.waitFor(() => expect(children()).toEqual([]), { timeout: 20_000 })
})

test('closing ends what waits and what runs, and leaves no process', async () => {
  const catalog = open()
  await ask(catalog, 'select 1')
  expect(children()).toHaveLength(1)
  const running = sqlStateOf(catalog, endless)
  const waiting = sqlStateOf(catalog, 'select 1')
  await catalog.close()
  expect(await running).toBeDefined()
  expect(await waiting).toBe('57P01')
  expect(await sqlStateOf(catalog, 'select 1')).toBe('57P01')
  expect(children()).toEqual([])
})

test('an instance that was killed while it was idle is replaced', async () => {
  const catalog = open()
  await ask(catalog, 'select 1')
  for (const pid of children()) process.kill(Number(pid), 'SIGKILL')
  await vi.waitFor(() => expect(children()).toEqual([]))
  expect(await instancesAfter(catalog)).toHaveLength(1)
})

test('a statement without end does not outlive the process that asked for it', async () => {
  const parent = fork(new URL('../support/ask-forever.ts', import.meta.url), {
    execArgv: ['--conditions=@engine/source'],
  })
  const [child] = await once(parent, 'message')
  expect(isRunning(Number(child))).toBe(true)
  parent.kill('SIGKILL')
  await vi.waitFor(() => expect(isRunning(Number(child))).toBe(false), { timeout: 15_000 })
})

test('without its package there are refusals, no crash, and no start for each of them', async () => {
  const { catalog, complaints } = openCatalog({ packageUrl: 'file:///nowhere/index.js' })
  opened.push({ catalog, complaints })
  const refusal = { problem: 'unavailable', sqlState: 'HV00N' } satisfies Partial<GatewayError>
  await expect(catalog.run(runOf('select 1'), scopeOf())).rejects.toMatchObject(refusal)
  await expect(catalog.run(runOf('select 2'), scopeOf())).rejects.toMatchObject(refusal)
  expect(catalog.state()).toEqual({ status: 'failed', servers: 0, failures: 1 })
  expect(complaints).toHaveLength(1)
})

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}
