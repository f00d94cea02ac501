import { expect, test } from 'vitest'
import { type Channel, createChannel, type Peer } from './channel.ts'

type Ask = (question: string) => unknown

/** Two ends of one channel; what travels is JSON. */
function createPair(left: Ask, right: Ask): readonly [Channel<string>, Channel<string>] {
  const listeners: ((message: unknown) => void)[] = []
  const peer = (own: number): Peer => ({
    send: (message) => listeners[1 - own]?.(JSON.parse(JSON.stringify(message))),
    onMessage: (listener) => {
      listeners[own] = listener
    },
  })
  return [createChannel(peer(0), left), createChannel(peer(1), right)]
}

test('both sides ask and answer, each answer meets its question', async () => {
  const [left, right] = createPair(
    (question) => `left: ${question}`,
    async (question) => ({ question }),
  )
  expect(await Promise.all([left.ask('a'), left.ask('b'), right.ask('c')])).toEqual([
    { question: 'a' },
    { question: 'b' },
    'left: c',
  ])
})

test('a failure arrives as its message', async () => {
  const [left] = createPair(
    () => undefined,
    () => {
      throw new Error('no')
    },
  )
  await expect(left.ask('a')).rejects.toThrow('no')
})

test('a closed channel rejects what waits, and what comes later', async () => {
  const [left] = createPair(
    () => undefined,
    () => new Promise(() => undefined),
  )
  const waiting = left.ask('a')
  left.close(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
  await expect(left.ask('b')).rejects.toThrow('gone')
})
