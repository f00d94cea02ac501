import { expect, test } from 'vitest'
import { type TabLockBackends, withCrossTabLock } from './cross-tab-lock.ts'

/** The data that tabs share where there are no locks. */
function createArea(isFull = false): Storage {
  const kept = new Map<string, string>()
  return {
    get length() {
      return kept.size
    },
    key: (index) => [...kept.keys()][index] ?? null,
    clear: () => kept.clear(),
    getItem: (key) => kept.get(key) ?? null,
    removeItem: (key) => void kept.delete(key),
    setItem: (key, value) => {
      if (isFull) throw new DOMException('full', 'QuotaExceededError')
      kept.set(key, value)
    },
  }
}

/** Runs three pieces of work at once. @returns the maximum number that ran at the same time, and the result of each. */
async function runThree(backends: TabLockBackends) {
  let running = 0
  let most = 0
  const work = async () => {
    running += 1
    most = Math.max(most, running)
    await new Promise((resolve) => setTimeout(resolve, 1))
    running -= 1
    return 'done'
  }
  const name = crypto.randomUUID()
  const results = await Promise.all([1, 2, 3].map(() => withCrossTabLock(name, backends, work)))
  return { most, results }
}

const done = ['done', 'done', 'done']

test('with locks one has its turn after the other', async () => {
  const { locks } = globalThis.navigator
  expect(await runThree({ locks, area: undefined })).toEqual({ most: 1, results: done })
})

test('what the one before wrote is seen, even if it comes later than the lock', async () => {
  const area = createArea()
  const backends = { locks: globalThis.navigator.locks, area }
  area.setItem('news', 'old')
  const first = withCrossTabLock('news', backends, async () => {
    setTimeout(() => area.setItem('news', 'new'), 100)
  })
  const second = withCrossTabLock('news', backends, async () => area.getItem('news'))
  await first
  expect(await second).toBe('new')
})

test('one who wrote nothing is not waited for without end', async () => {
  const backends = { locks: globalThis.navigator.locks, area: createArea() }
  const turns = [1, 2].map(() => withCrossTabLock('no news', backends, async () => 'done'))
  expect(await Promise.all(turns)).toEqual(['done', 'done'])
})

test('without locks notes in the storage say whose turn it is', async () => {
  const area = createArea()
  expect(await runThree({ locks: undefined, area })).toEqual({ most: 1, results: done })
  expect(area).toHaveLength(0)
})

test('a storage that is full does not block work', async () => {
  const { results } = await runThree({ locks: undefined, area: createArea(true) })
  expect(results).toEqual(done)
})

test('the entry of a tab that was closed meanwhile does not count for ever', async () => {
  const area = createArea()
  area.setItem('session.turn', String(Date.now() - 60_000))
  expect(await withCrossTabLock('session', { locks: undefined, area }, async () => 'done')).toBe(
    'done',
  )
})

test.for([globalThis.navigator.locks, undefined])(
  'what fails ends a turn as well',
  async (locks) => {
    const backends = { locks, area: createArea() }
    const failing = withCrossTabLock('session', backends, async () => {
      throw new Error('away')
    })
    await expect(failing).rejects.toThrow('away')
    expect(await withCrossTabLock('session', backends, async () => 'done')).toBe('done')
  },
)
