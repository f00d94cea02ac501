import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createRunningStatement } from './running-statement.ts'

test('only what runs can be stopped', () => {
  const running = createRunningStatement('id')
  expect(running.cancel()).toBe(false)
  running.next()
  running.start(undefined)
  expect(running.signal().aborted).toBe(false)
  expect(running.cancel()).toBe(true)
  expect(running.signal().aborted).toBe(true)
  expect(running.stoppedBy()).toBe('client')
})

test('a statement that was stopped while it was planned is not started', () => {
  const running = createRunningStatement('id')
  running.next()
  expect(running.cancel()).toBe(true)
  running.start(undefined)
  expect(running.signal().aborted).toBe(true)
  expect(running.stoppedBy()).toBe('client')
})

test('the next statement runs although the last one was stopped', () => {
  const running = createRunningStatement('id')
  running.next()
  running.start(undefined)
  running.cancel()
  running.finish()
  expect(running.cancel()).toBe(false)
  running.next()
  running.start(undefined)
  expect(running.signal().aborted).toBe(false)
  expect(running.stoppedBy()).toBeUndefined()
})

test('a statement that takes too long stops itself, one that has ended does not', async () => {
  const running = createRunningStatement('id')
  running.next()
  running.start(1)
  await new Promise((resolve) => running.signal().addEventListener('abort', resolve))
  expect(running.stoppedBy()).toBe('timeout')
  running.next()
  running.start(1)
  running.finish()
  await sleep(5)
  expect(running.signal().aborted).toBe(false)
})

test('each statement has an id of its own', () => {
  const running = createRunningStatement('connection')
  running.next()
  const first = running.correlationId()
  running.start(undefined)
  expect(running.correlationId()).toBe(first)
  running.next()
  expect([first, running.correlationId()]).toEqual(['connection.1', 'connection.2'])
})

test('a cancel request that comes too late for its statement counts for the rest of the batch', () => {
  const running = createRunningStatement('a')
  running.next()
  expect(running.cancel()).toBe(true)
  running.finish()
  expect(running.isCancelDue()).toBe(false)
  running.next()
  expect(running.isCancelDue()).toBe(true)
  expect(running.signal().aborted).toBe(false)
  running.settle()
  expect(running.isCancelDue()).toBe(false)
  running.next()
  expect(running.isCancelDue()).toBe(false)
})

test('a cancel request that was reported counts no more', () => {
  const running = createRunningStatement('a')
  running.next()
  running.cancel()
  running.settle()
  running.next()
  expect(running.isCancelDue()).toBe(false)
})
