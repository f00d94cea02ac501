import { silentLog } from '@engine/core/adapter'
import { expect, test, vi } from 'vitest'
import { createSessionPool, type SessionPool } from './session-pool.ts'

interface TestSession {
  readonly id: number
  isGood: boolean
  isClosed: boolean
  isIdle(): boolean
  isAlive(): boolean
  close(): void
}

interface TestPool {
  readonly pool: SessionPool<TestSession>
  readonly opened: TestSession[]
  /** Sets the error of the next attempts to open a session. */
  failWith(error: Error | undefined): void
}

function poolOf(max: number, acquireTimeoutMs = 5_000): TestPool {
  const opened: TestSession[] = []
  let failure: Error | undefined
  const open = async (): Promise<TestSession> => {
    if (failure !== undefined) throw failure
    const session: TestSession = {
      id: opened.length,
      isGood: true,
      isClosed: false,
      isIdle: () => session.isGood,
      isAlive: () => session.isGood,
      close: () => {
        session.isClosed = true
      },
    }
    opened.push(session)
    return session
  }
  return {
    pool: createSessionPool({ max, acquireTimeoutMs, open, log: silentLog }),
    opened,
    failWith: (error) => {
      failure = error
    },
  }
}

test('a session that was given back is used again', async () => {
  const { pool, opened } = poolOf(3)
  const first = await pool.acquire(undefined)
  pool.release(first)

  expect(await pool.acquire(undefined)).toBe(first)
  expect(opened).toHaveLength(1)
})

test('there is room while a session rests or may be opened', async () => {
  const { pool } = poolOf(2)
  const first = await pool.acquire(undefined)
  expect(pool.hasRoom()).toBe(true)
  await pool.acquire(undefined)
  expect(pool.hasRoom()).toBe(false)
  pool.release(first)
  expect(pool.hasRoom()).toBe(true)
})

test('no more sessions are open than allowed; who waits longest is served first', async () => {
  const { pool, opened } = poolOf(2)
  const [first, second] = [await pool.acquire(undefined), await pool.acquire(undefined)]
  const order: string[] = []
  const third = pool.acquire(undefined).then((session) => {
    order.push('third')
    return session
  })
  const fourth = pool.acquire(undefined).then((session) => {
    order.push('fourth')
    return session
  })
  pool.release(second)
  pool.release(first)

  expect([await third, await fourth]).toEqual([second, first])
  expect(order).toEqual(['third', 'fourth'])
  expect(opened).toHaveLength(2)
})

test('a broken session is closed, and whoever waits gets a new one', async () => {
  const { pool, opened } = poolOf(1)
  const first = await pool.acquire(undefined)
  const next = pool.acquire(undefined)
  first.isGood = false
  pool.release(first)

  expect((await next).id).toBe(1)
  expect(opened[0]?.isClosed).toBe(true)
})

test('a session that died while it rested is not given out', async () => {
  const { pool } = poolOf(2)
  const first = await pool.acquire(undefined)
  pool.release(first)
  first.isGood = false

  expect((await pool.acquire(undefined)).id).toBe(1)
  expect(first.isClosed).toBe(true)
})

test('when the database is away everybody is told at once, and later it works again', async () => {
  const { pool, failWith } = poolOf(1)
  const held = await pool.acquire(undefined)
  const waiting = [pool.acquire(undefined), pool.acquire(undefined)]
  failWith(new Error('ECONNREFUSED'))
  held.isGood = false
  pool.release(held)

  for (const outcome of await Promise.allSettled(waiting)) {
    expect(outcome).toMatchObject({ reason: { problem: 'unavailable', sqlState: '08001' } })
  }
  failWith(undefined)
  expect((await pool.acquire(undefined)).id).toBe(1)
})

test('when one session is cut, those that rest are not trusted any more', async () => {
  const { pool, opened } = poolOf(3)
  const [cut, resting] = [await pool.acquire(undefined), await pool.acquire(undefined)]
  pool.release(resting)
  cut.isGood = false
  pool.release(cut)

  expect((await pool.acquire(undefined)).id).toBe(2)
  expect(opened.map(({ isClosed }) => isClosed)).toEqual([true, true, false])
})

test('a session that cannot be opened fails one request; others get those that are in use', async () => {
  const { pool, failWith } = poolOf(3)
  const held = await pool.acquire(undefined)
  failWith(new Error('too many connections'))
  const [first, second] = [pool.acquire(undefined), pool.acquire(undefined)]
  const third = pool.acquire(undefined)

  await expect(first).rejects.toMatchObject({ problem: 'unavailable' })
  await expect(second).rejects.toMatchObject({ problem: 'unavailable' })
  pool.release(held)
  expect(await third).toBe(held)
})

test('whoever waits too long, or no longer wants to, is sent away', async () => {
  const { pool } = poolOf(1, 20)
  const held = await pool.acquire(undefined)
  const controller = new AbortController()
  const aborted = pool.acquire(controller.signal)
  controller.abort()

  await expect(aborted).rejects.toMatchObject({ sqlState: '57014' })
  await expect(pool.acquire(undefined)).rejects.toMatchObject({ sqlState: '53300' })
  pool.release(held)
  expect(await pool.acquire(undefined)).toBe(held)
})

test('closing waits for those who work and ends those who wait', async () => {
  const { pool, opened } = poolOf(2)
  const [working, resting] = [await pool.acquire(undefined), await pool.acquire(undefined)]
  pool.release(resting)
  const other = await pool.acquire(undefined)
  const waiting = pool.acquire(undefined)
  const closed = pool.close()
  pool.release(other)
  pool.release(working)

  await closed
  await expect(waiting).rejects.toMatchObject({ problem: 'unavailable' })
  await expect(pool.acquire(undefined)).rejects.toMatchObject({ problem: 'unavailable' })
  expect(opened.every(({ isClosed }) => isClosed)).toBe(true)
})

test('sessions are closed when they were idle for a minute, each by its own time', async () => {
  vi.useFakeTimers()
  try {
    const { pool, opened } = poolOf(3)
    const [first, second] = [await pool.acquire(undefined), await pool.acquire(undefined)]
    pool.release(first)
    vi.advanceTimersByTime(40_000)
    pool.release(second)
    vi.advanceTimersByTime(30_000)
    expect(opened.map(({ isClosed }) => isClosed)).toEqual([true, false])
    vi.advanceTimersByTime(40_000)
    expect(opened.map(({ isClosed }) => isClosed)).toEqual([true, true])
    expect(pool.state()).toEqual({ busy: 0, idle: 0, waiting: 0 })
  } finally {
    vi.useRealTimers()
  }
})

test('a session that is used again and again is not closed', async () => {
  vi.useFakeTimers()
  try {
    const { pool, opened } = poolOf(3)
    for (let use = 0; use < 5; use += 1) {
      pool.release(await pool.acquire(undefined))
      vi.advanceTimersByTime(45_000)
    }
    expect(opened.map(({ isClosed }) => isClosed)).toEqual([false])
  } finally {
    vi.useRealTimers()
  }
})
