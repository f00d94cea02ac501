import { expect, test } from 'vitest'
import { createCancelKeys, type SignalTarget } from './cancel-keys.ts'

test('a statement is cancelled by the whole key and by nothing else', () => {
  const keys = createCancelKeys()
  const cancelled: string[] = []
  const targetOf = (name: string): SignalTarget => ({
    cancel: () => void cancelled.push(name),
    terminate: () => undefined,
    caller: () => ({ kind: 'anonymous', roles: [], fields: {} }),
  })
  const first = keys.issue(4, targetOf('first'))
  const second = keys.issue(32, targetOf('second'))
  expect(first.secret).toHaveLength(4)
  expect(second.secret).toHaveLength(32)
  expect(first.processId).toBeGreaterThan(0)
  expect(first.processId).not.toBe(second.processId)

  const wrong = Buffer.from(first.secret)
  wrong[3] = (wrong[3] ?? 0) ^ 1
  keys.use(first.processId, wrong)
  keys.use(first.processId, second.secret)
  keys.use(second.processId, first.secret)
  keys.use(first.processId, Buffer.alloc(0))
  keys.use(0, first.secret)
  expect(cancelled).toEqual([])

  keys.use(first.processId, first.secret)
  keys.use(second.processId, second.secret)
  keys.use(first.processId, first.secret)
  expect(cancelled).toEqual(['first', 'second', 'first'])

  keys.withdraw(first)
  keys.use(first.processId, first.secret)
  expect(cancelled).toHaveLength(3)
})
