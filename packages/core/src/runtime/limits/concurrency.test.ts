import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { type Concurrency, type ConcurrencyOptions, createConcurrency } from './concurrency.ts'

const patient = { timeoutMs: 60_000, signal: undefined }

/** Calls `enter`, and records when it succeeds. */
function queue(options: Partial<ConcurrencyOptions> = {}) {
  const concurrency = createConcurrency({
    perCaller: 2,
    perConnection: new Map([
      ['main', 3],
      ['other', 1],
    ]),
    maxQueued: 100,
    ...options,
  })
  const entered: string[] = []
  const refused: string[] = []
  const ask = (caller: string | undefined, connection = 'main', patience = patient) => {
    const name = `${caller}@${connection}`
    try {
      const turn = concurrency.enter({ caller, connection }, patience)
      if (turn === undefined) entered.push(name)
      else {
        turn.then(
          () => entered.push(name),
          (error: { readonly code: string }) => refused.push(`${name} ${error.code}`),
        )
      }
    } catch (error) {
      refused.push(`${name} ${(error as { readonly code: string }).code}`)
    }
  }
  const leave = async (caller: string | undefined, connection = 'main') => {
    concurrency.leave({ caller, connection })
    await settled()
  }
  return { concurrency, ask, leave, entered, refused }
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

const idle = { running: 0, waiting: 0, callers: 0 }

test('as long as there is room nobody waits', () => {
  const { concurrency, ask, entered } = queue()
  ask('a')
  ask('a')
  ask('b')
  expect(entered).toEqual(['a@main', 'a@main', 'b@main'])
  expect(concurrency.load()).toEqual({ running: 3, waiting: 0, callers: 2 })
})

test('a caller who has enough running waits, others do not', async () => {
  const { ask, leave, entered } = queue()
  for (let i = 0; i < 3; i += 1) ask('a')
  ask('b')
  await settled()
  expect(entered).toEqual(['a@main', 'a@main', 'b@main'])
  await leave('a')
  expect(entered).toEqual(['a@main', 'a@main', 'b@main', 'a@main'])
})

test('a caller is counted over all connections', async () => {
  const { ask, leave, entered } = queue()
  ask('a')
  ask('a', 'other')
  ask('a')
  ask('b', 'other')
  await settled()
  expect(entered).toEqual(['a@main', 'a@other'])
  await leave('a', 'other')
  expect(entered).toEqual(['a@main', 'a@other', 'a@main', 'b@other'])
})

test('callers take turns, however much one of them has sent', async () => {
  const { ask, leave, entered } = queue({ perCaller: 3, perConnection: new Map([['main', 3]]) })
  for (let i = 0; i < 50; i += 1) ask('flood')
  ask('a')
  ask('b')
  ask('a')
  entered.length = 0
  for (let i = 0; i < 6; i += 1) await leave('flood').then(() => undefined)
  expect(entered).toEqual(['flood@main', 'a@main', 'b@main', 'flood@main', 'a@main', 'flood@main'])
})

test('whoever waits for another connection holds nobody up', async () => {
  const { ask, leave, entered } = queue({ perCaller: 10 })
  ask('a', 'other')
  ask('b', 'other')
  ask('b', 'main')
  await settled()
  expect(entered).toEqual(['a@other', 'b@main'])
  await leave('a', 'other')
  expect(entered).toEqual(['a@other', 'b@main', 'b@other'])
})

test('without a caller nothing is counted by caller, but by connection', async () => {
  const { ask, leave, entered } = queue({ perCaller: 1 })
  for (let i = 0; i < 4; i += 1) ask(undefined)
  ask('a')
  await settled()
  expect(entered).toHaveLength(3)
  await leave(undefined)
  await leave(undefined)
  expect(entered.slice(3)).toEqual(['undefined@main', 'a@main'])
})

test('a connection that is not named has no limit', () => {
  const { ask, entered } = queue({ perCaller: 1_000 })
  for (let i = 0; i < 500; i += 1) ask('a', 'third')
  expect(entered).toHaveLength(500)
})

test('whoever has most waiting gives up the last where too many wait; the rest are refused at once', async () => {
  const { concurrency, ask, refused } = queue({ perCaller: 1, maxQueued: 3 })
  for (let i = 0; i < 5; i += 1) ask('flood')
  expect(refused).toEqual(['flood@main UNAVAILABLE'])
  ask('a')
  ask('a')
  await settled()
  expect(refused).toHaveLength(2)
  expect(refused[1]).toBe('flood@main UNAVAILABLE')
  expect(concurrency.load()).toMatchObject({ running: 2, waiting: 3 })
})

test('where nobody may wait, what finds no room is refused', async () => {
  const { concurrency, ask, refused, leave } = queue({ maxQueued: 0, perCaller: 10 })
  for (let i = 0; i < 5; i += 1) ask(`caller ${i}`)
  expect(refused).toEqual(['caller 3@main UNAVAILABLE', 'caller 4@main UNAVAILABLE'])
  for (let i = 0; i < 3; i += 1) await leave(`caller ${i}`)
  expect(concurrency.load()).toEqual(idle)
})

test('whoever has waited too long leaves, and so does whoever nobody waits for', async () => {
  const { concurrency, ask, refused, leave, entered } = queue({ perCaller: 1 })
  const abandoned = new AbortController()
  ask('a')
  ask('a', 'main', { timeoutMs: 5, signal: undefined })
  ask('a', 'main', { timeoutMs: 60_000, signal: abandoned.signal } as never)
  ask('a')
  await new Promise((resolve) => setTimeout(resolve, 20))
  abandoned.abort()
  ask('a', 'main', { timeoutMs: 60_000, signal: abandoned.signal } as never)
  await vi.waitFor(() =>
    expect(refused).toEqual(['a@main QUERY_TIMEOUT', 'a@main UNAVAILABLE', 'a@main UNAVAILABLE']),
  )
  expect(concurrency.load()).toEqual({ running: 1, waiting: 1, callers: 1 })
  await leave('a')
  await leave('a')
  expect(entered).toHaveLength(2)
  expect(concurrency.load()).toEqual(idle)
})

test('whoever waited is told for how long', async () => {
  const concurrency = createConcurrency({ perCaller: 1, perConnection: new Map(), maxQueued: 1 })
  const place = { caller: 'a', connection: undefined }
  expect(concurrency.enter(place, patient)).toBeUndefined()
  const turn = concurrency.enter(place, patient)
  await new Promise((resolve) => setTimeout(resolve, 20))
  concurrency.leave(place)
  expect(await turn).toBeGreaterThanOrEqual(15)
})

/** Checks the rules that must hold in any order of events. */
async function runAll(
  concurrency: Concurrency,
  requests: readonly {
    readonly caller: string
    readonly connection: string
    readonly turns: number
  }[],
  limits: { readonly perCaller: number; readonly perConnection: ReadonlyMap<string, number> },
): Promise<number> {
  const running = new Map<string, number>()
  const add = (key: string, n: number) => {
    running.set(key, (running.get(key) ?? 0) + n)
    return running.get(key) ?? 0
  }
  let refused = 0
  await Promise.all(
    requests.map(async ({ caller, connection, turns }) => {
      const place = { caller, connection }
      try {
        await concurrency.enter(place, patient)
      } catch {
        refused += 1
        return
      }
      expect(add(`caller ${caller}`, 1)).toBeLessThanOrEqual(limits.perCaller)
      expect(add(`connection ${connection}`, 1)).toBeLessThanOrEqual(
        limits.perConnection.get(connection) ?? Number.POSITIVE_INFINITY,
      )
      for (let i = 0; i < turns; i += 1) await settled()
      add(`caller ${caller}`, -1)
      add(`connection ${connection}`, -1)
      concurrency.leave(place)
    }),
  )
  return refused
}

test('no limit is ever passed, everyone is served or refused, and nothing is left behind', async () => {
  const request = fc.record({
    caller: fc.constantFrom('a', 'b', 'c', 'd'),
    connection: fc.constantFrom('x', 'y', 'z'),
    turns: fc.nat(3),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(request, { maxLength: 60 }),
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 5 }),
      fc.nat(40),
      async (requests, perCaller, most, maxQueued) => {
        const limits = {
          perCaller,
          perConnection: new Map([
            ['x', most],
            ['y', 1],
          ]),
        }
        const concurrency = createConcurrency({ ...limits, maxQueued })
        const refused = await runAll(concurrency, requests, limits)
        if (requests.length <= maxQueued) expect(refused).toBe(0)
        expect(concurrency.load()).toEqual(idle)
      },
    ),
    { numRuns: 60 },
  )
})

test('new limits count what runs already, and admit what waits', async () => {
  const { concurrency, ask, leave, entered } = queue()
  for (let i = 0; i < 4; i += 1) ask('a')
  ask('b', 'other')
  ask('c', 'other')
  expect(entered).toEqual(['a@main', 'a@main', 'b@other'])
  concurrency.change({ perCaller: 3, perConnection: new Map([['main', 3]]), maxQueued: 100 })
  await settled()
  expect(entered).toEqual(['a@main', 'a@main', 'b@other', 'a@main', 'c@other'])
  concurrency.change({
    perCaller: 3,
    perConnection: new Map([
      ['main', 3],
      ['other', 2],
    ]),
    maxQueued: 100,
  })
  ask('d', 'other')
  await leave('b', 'other')
  await leave('a')
  expect(entered.slice(5).toSorted()).toEqual(['a@main', 'd@other'])
  for (const caller of ['a', 'a', 'a']) await leave(caller)
  for (const caller of ['c', 'd']) await leave(caller, 'other')
  expect(concurrency.load()).toEqual(idle)
})
