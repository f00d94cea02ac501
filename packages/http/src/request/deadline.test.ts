import { expect, test } from 'vitest'
import { beforeDeadline } from './deadline.ts'

test('what is done in time is passed on, values and errors', async () => {
  expect(await beforeDeadline(1_000, Promise.resolve(7))).toBe(7)
  expect(await beforeDeadline(1_000, 7)).toBe(7)
  await expect(beforeDeadline(1_000, Promise.reject(new Error('broken')))).rejects.toThrow('broken')
})

test('work that does not answer is unavailable; its later outcome is ignored', async () => {
  const { promise, reject } = Promise.withResolvers<never>()
  await expect(beforeDeadline(5, promise)).rejects.toMatchObject({
    problem: 'unavailable',
    status: 503,
  })
  reject(new Error('much later'))
})

test('a change that is not answered may have been made', async () => {
  const { promise } = Promise.withResolvers<never>()
  await expect(beforeDeadline(5, promise, true)).rejects.toThrow('not known whether this was done')
})
