import { expect, test } from 'vitest'
import { createCancelKeys, type SignalTarget } from './cancel-keys.ts'

test('a statement is cancelled by the whole key and by nothing else', () => {
  const keys = createCancelKeys()
  const cancelled: string[] = []
  const targetOf = (name: string): SignalTarget => ({
    cancel: () => void cancelled.push(name),
    terminate: () => undefined,
    callerKey: () => name,
  })
  const first = keys.issue(4, targetOf('first'))
  const second = keys.issue(32, targetOf('second'))
  expect(first.secret).toHaveLength(4)
  expect(second.secret).toHaveLength(32)
  expect(first.processId).toBeGreaterThan(0)
  expect(first.processId).not.toBe(second.processId)

  const use = (processId: number, secret: Uint8Array) =>
    keys.signal({ kind: 'cancel-request', processId, secret: Buffer.from(secret).toString('hex') })
  const wrong = Buffer.from(first.secret)
  wrong[3] = (wrong[3] ?? 0) ^ 1
  expect(use(first.processId, wrong)).toBe(false)
  expect(use(first.processId, second.secret)).toBe(false)
  expect(use(second.processId, first.secret)).toBe(false)
  expect(use(first.processId, Buffer.alloc(0))).toBe(false)
  expect(use(0, first.secret)).toBe(false)
  expect(cancelled).toEqual([])

  expect(use(first.processId, first.secret)).toBe(true)
  use(second.processId, second.secret)
  use(first.processId, first.secret)
  expect(cancelled).toEqual(['first', 'second', 'first'])

  keys.withdraw(first)
  use(first.processId, first.secret)
  expect(cancelled).toHaveLength(3)
})

test('a session is stopped for its own caller, and for one who may stop any', () => {
  const keys = createCancelKeys()
  const seen: string[] = []
  const { processId } = keys.issue(4, {
    cancel: () => void seen.push('cancel'),
    terminate: () => void seen.push('terminate'),
    callerKey: () => 'ada',
  })
  expect(keys.signal({ kind: 'cancel', processId, callerKey: 'bob' })).toBe(false)
  expect(keys.signal({ kind: 'cancel', processId: processId + 1, callerKey: 'ada' })).toBe(false)
  expect(keys.signal({ kind: 'cancel', processId, callerKey: 'ada' })).toBe(true)
  expect(keys.signal({ kind: 'terminate', processId, callerKey: undefined })).toBe(true)
  expect(seen).toEqual(['cancel', 'terminate'])
})
