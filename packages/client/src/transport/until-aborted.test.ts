import { expect, test } from 'vitest'
import { untilAborted } from './until-aborted.ts'

const never = new Promise<string>(() => undefined)

test('gives what comes, with a signal and without', async () => {
  const { signal } = new AbortController()
  expect(await untilAborted(() => 'now', undefined)).toBe('now')
  expect(await untilAborted(async () => 'later', signal)).toBe('later')
  const failing = async () => {
    throw new Error('failed')
  }
  await expect(untilAborted(failing, signal)).rejects.toThrow('failed')
})

test('does not wait longer than its signal', async () => {
  const stop = new AbortController()
  const waiting = untilAborted(() => never, stop.signal)
  stop.abort(new Error('left'))
  await expect(waiting).rejects.toThrow('left')
  await expect(untilAborted(() => expect.unreachable(), stop.signal)).rejects.toThrow('left')
})
