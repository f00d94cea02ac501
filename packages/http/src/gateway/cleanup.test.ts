import { expect, test } from 'vitest'
import { createCleanup } from './cleanup.ts'

test('what was opened first is closed last, once', async () => {
  const closed: string[] = []
  const cleanup = createCleanup()
  cleanup.add(async () => void closed.push('store'))
  cleanup.add(async () => void closed.push('engine'))
  await Promise.all([cleanup.run(), cleanup.run()])
  expect(closed).toEqual(['engine', 'store'])
})

test('one that fails does not keep the others from closing, and is reported', async () => {
  const closed: string[] = []
  const cleanup = createCleanup()
  cleanup.add(async () => void closed.push('store'))
  cleanup.add(() => Promise.reject(new Error('stuck')))
  await expect(cleanup.run()).rejects.toThrow('stuck')
  expect(closed).toEqual(['store'])
})
