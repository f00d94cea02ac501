import { expect, test } from 'vitest'
import { createMessageGate } from './message-gate.ts'

const copyDone = { type: 'copyDone' } as const
const sync = { type: 'sync' } as const

test('work that asks for nothing is waited for', async () => {
  const gate = createMessageGate()
  const seen: string[] = []
  await gate.enter(Promise.resolve().then(() => void seen.push('done')))
  expect(seen).toEqual(['done'])
  expect(gate.isWaiting()).toBe(false)
  await expect(gate.enter(Promise.reject(new Error('no')))).rejects.toThrow('no')
})

test('the sender of messages continues while the work waits', async () => {
  const gate = createMessageGate()
  const seen: string[] = []
  const work = async () => {
    await Promise.resolve()
    seen.push((await gate.take()).type)
    seen.push((await gate.take()).type)
    throw new Error('enough')
  }
  await gate.enter(work())
  expect(gate.isWaiting()).toBe(true)
  await gate.offer(sync)
  expect(seen).toEqual(['sync'])
  await expect(gate.offer(copyDone)).rejects.toThrow('enough')
  expect(seen).toEqual(['sync', 'copyDone'])
  expect(gate.isWaiting()).toBe(false)
})

test('work that waits can be interrupted', async () => {
  const gate = createMessageGate()
  let reason: unknown
  const work = async () => {
    try {
      await gate.take()
    } catch (error) {
      reason = error
    }
  }
  await gate.enter(work())
  gate.interrupt(new Error('gone'))
  await gate.idle()
  expect(reason).toEqual(new Error('gone'))
  gate.interrupt(new Error('nobody hears it'))
})
