import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { silentLog } from '../../foundation/log.ts'
import type { FinishedEntry } from './audit-entry.ts'
import { createAuditWriter } from './audit-writer.ts'

const flushMs = 200

/** A writer with a queue of named entries, two of which are a full batch, and the batches that it has written. */
function open() {
  const queue: string[] = []
  const batches: string[][] = []
  const writer = createAuditWriter({
    take: () => queue.splice(0, 2) as unknown as readonly FinishedEntry[],
    write: async (entries) => {
      batches.push([...(entries as unknown as readonly string[])])
      return { left: [], refused: [], error: undefined }
    },
    onRefused: () => undefined,
    queue: () => (queue.length === 0 ? 'empty' : queue.length < 2 ? 'some' : 'many'),
    log: silentLog,
    flushMs,
    retryMs: [200, 1_000],
  })
  const add = (...names: readonly string[]) => {
    queue.push(...names)
    writer.wake(queue.length >= 2)
  }
  return { writer, batches, add }
}

describe('the writer of the audit', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })
  const turns = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

  test('lets few entries wait for others', async () => {
    const { batches, add } = open()
    add('a')
    await vi.advanceTimersByTimeAsync(flushMs - 1)
    expect(batches).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(batches).toEqual([['a']])
  })

  test('writes full batches at once, and what is left of them later', async () => {
    const { batches, add } = open()
    add('a', 'b', 'c', 'd', 'e')
    await turns()
    await turns()
    expect(batches).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ])
    await vi.advanceTimersByTimeAsync(flushMs)
    expect(batches.at(-1)).toEqual(['e'])
  })

  test('writes everything for who waits for it', async () => {
    const { writer, batches, add } = open()
    add('a', 'b', 'c')
    await writer.whenIdle()
    expect(batches).toEqual([['a', 'b'], ['c']])
  })
})
