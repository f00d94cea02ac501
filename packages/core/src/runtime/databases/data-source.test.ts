import { afterEach, expect, test, vi } from 'vitest'
import type { Introspection } from '../../compiler/catalog/introspection.ts'
import { silentLog } from '../../foundation/log.ts'
import type { Adapter } from '../adapter/adapter.ts'
import { createDataSource, type DataSource } from './data-source.ts'

/** A database whose schema is one number; it counts the readings. */
interface World {
  readonly source: DataSource
  readonly read: string[]
  readonly changes: () => number
  change(): void
  /** All connections are in use, until `free`. */
  fill(): void
  free(): void
}

const sources: DataSource[] = []
afterEach(async () => {
  for (const source of sources.splice(0)) await source.close()
  vi.useRealTimers()
})

function open(hasVersions: boolean, pollMs?: number, versionMs = 0): World {
  let schema = 1
  let changes = 0
  const read: string[] = []
  let busy: PromiseWithResolvers<void> | undefined
  const introspection = (): Introspection => ({
    types: [],
    tables: [],
    excluded: [String(schema)],
    ...(hasVersions ? { schemaVersion: String(schema) } : {}),
  })
  const adapter = {
    kind: 'postgres',
    hasRoom: () => busy === undefined,
    introspect: async () => {
      read.push('catalog')
      await busy?.promise
      return introspection()
    },
    ...(hasVersions
      ? {
          schemaVersion: async () => {
            read.push('version')
            await busy?.promise
            if (versionMs > 0) await new Promise((resolve) => setTimeout(resolve, versionMs))
            return String(schema)
          },
        }
      : {}),
    execute: async () => ({ rows: '[]', rowCount: 0, truncated: false }),
    close: async () => undefined,
  } as Partial<Adapter> as Adapter
  const source = createDataSource({
    name: 'main',
    adapter,
    log: silentLog,
    observe: undefined,
    pollMs,
    onChange: () => {
      changes += 1
    },
  })
  sources.push(source)
  return {
    source,
    read,
    changes: () => changes,
    change: () => {
      schema += 1
    },
    fill: () => {
      busy = Promise.withResolvers()
    },
    free: () => {
      busy?.resolve()
      busy = undefined
    },
  }
}

const runnable = {
  prepared: {
    plan: { connection: 'main', compiled: { isWrite: false, steps: [] } },
    precheck: undefined,
    recheck: undefined,
  },
  values: [],
} as never

const use = ({ source }: World) =>
  source.guarded.runAlone(runnable, { timeoutMs: 1_000, signal: undefined }, (send, limits) =>
    send({ rowShape: 'array', maxRows: 1, ...limits }),
  )

test('the catalog is read again only when its version has changed', async () => {
  const world = open(true)
  await world.source.refresh()
  await world.source.refreshIfChanged(false)
  expect(world.read).toEqual(['catalog', 'version'])
  world.change()
  await world.source.refreshIfChanged(false)
  expect(world.read).toEqual(['catalog', 'version', 'version', 'catalog'])
  expect(world.changes()).toBe(2)
})

test('without versions it is read each time, and requests may cause only a few readings', async () => {
  const world = open(false)
  await world.source.refresh()
  let readings = 0
  for (let i = 0; i < 40; i += 1) {
    const reading = world.source.refreshIfChanged(false)
    if (reading !== undefined) readings += 1
    await reading
  }
  expect(readings).toBeGreaterThanOrEqual(20)
  expect(readings).toBeLessThan(40)
  expect(world.changes()).toBe(1)
  await expect(world.source.refreshIfChanged(true)).resolves.toBeUndefined()
})

test('readings of the version that requests cause rest, and calls that come in a rest share the next', async () => {
  vi.useFakeTimers()
  const world = open(true, undefined, 100)
  await world.source.refresh()
  const first = world.source.refreshIfChanged(false)
  await vi.advanceTimersByTimeAsync(100)
  await first
  world.change()
  const later = [1, 2, 3].map(() => world.source.refreshIfChanged(false))
  await vi.advanceTimersByTimeAsync(240)
  expect(world.read).toEqual(['catalog', 'version'])
  await vi.advanceTimersByTimeAsync(110)
  await Promise.all(later)
  expect(world.read).toEqual(['catalog', 'version', 'version', 'catalog'])
})

test('a certain change is looked at without a rest', async () => {
  vi.useFakeTimers()
  const world = open(true, undefined, 100)
  await world.source.refresh()
  for (let look = 0; look < 2; look += 1) {
    const reading = world.source.refreshIfChanged(true)
    await vi.advanceTimersByTimeAsync(100)
    await reading
  }
  expect(world.read).toEqual(['catalog', 'version', 'version'])
})

test('calls that come during a reading share the next one, which is whole if one of them wants that', async () => {
  const world = open(true)
  await world.source.refresh()
  const first = world.source.refreshIfChanged(false)
  const second = world.source.refreshIfChanged(false)
  const third = world.source.refresh()
  await Promise.all([first, second, third])
  expect(world.read).toEqual(['catalog', 'version', 'catalog'])
})

test('a caller that holds a connection waits for no other one, and the reading goes on without it', async () => {
  const world = open(true)
  await world.source.refresh()
  await world.source.refreshIfChanged(false, true)
  expect(world.read).toEqual(['catalog', 'version'])

  world.fill()
  await world.source.refreshIfChanged(true, true)
  expect(world.read).toEqual(['catalog', 'version'])
  world.free()

  // There was room when the reading began, and the last connection is taken before its second part.
  world.change()
  const patient = world.source.refreshIfChanged(true)
  const holding = world.source.refreshIfChanged(true, true)
  world.fill()
  await holding
  expect(world.changes()).toBe(1)
  world.free()
  await patient
  expect(world.changes()).toBe(2)
})

test('the version is polled while statements run, and not while none do', async () => {
  vi.useFakeTimers()
  const world = open(true, 1_000)
  await world.source.refresh()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(world.read).toEqual(['catalog'])
  await use(world)
  world.change()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(world.read).toEqual(['catalog', 'version', 'catalog'])
  expect(world.changes()).toBe(2)
})

test('a version that takes long to read is read less often', async () => {
  vi.useFakeTimers()
  const world = open(true, 1_000, 2_000)
  await world.source.refresh()
  for (let second = 0; second < 50; second += 1) {
    await use(world)
    await vi.advanceTimersByTimeAsync(1_000)
  }
  expect(world.read).toEqual(['catalog', 'version', 'version'])
})
