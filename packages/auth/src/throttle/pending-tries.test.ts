import { expect, test } from 'vitest'
import { createPendingTries } from './pending-tries.ts'

test('who waits goes on when one more has ended', async () => {
  const tries = createPendingTries()
  tries.begin('a')
  tries.begin('a')
  const woken: string[] = []
  const waiting = tries.nextEnd('a')?.then(() => woken.push('woken'))
  expect(tries.count('a')).toBe(2)
  expect(woken).toEqual([])
  tries.end('a')
  await waiting
  expect(woken).toEqual(['woken'])
  tries.end('a')
  expect(tries.count('a')).toBe(0)
})

test('not any number may wait', () => {
  const tries = createPendingTries(1)
  tries.begin('a')
  expect(tries.nextEnd('a')).toBeInstanceOf(Promise)
  expect(tries.nextEnd('a')).toBeUndefined()
})

test('a try that has ended delays no other', async () => {
  await expect(createPendingTries().nextEnd('a')).resolves.toBeUndefined()
})

test('a read during which a try ends is repeated', () => {
  const tries = createPendingTries()
  tries.begin('a')
  const quiet = tries.watch('a')
  expect(quiet()).toBe(false)
  const disturbed = tries.watch('a')
  tries.end('a')
  expect(disturbed()).toBe(true)
})
