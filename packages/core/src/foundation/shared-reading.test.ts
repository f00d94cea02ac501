import { afterEach, expect, test, vi } from 'vitest'
import { type ReadingsAtOnce, shareReadings } from './shared-reading.ts'

afterEach(() => {
  vi.useRealTimers()
})

/** A source that answers when told, and counts. */
function source(atOnce?: ReadingsAtOnce) {
  const asked: PromiseWithResolvers<number>[] = []
  const read = shareReadings(() => {
    const answer = Promise.withResolvers<number>()
    asked.push(answer)
    return answer.promise
  }, atOnce)
  return { asked, read }
}

const turns = async () => {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
}

test('calls during a reading share the next, which begins after them', async () => {
  const { asked, read } = source()
  const first = read()
  const second = read()
  const third = read()
  expect(asked).toHaveLength(1)
  asked[0]?.resolve(1)
  await expect(first).resolves.toBe(1)
  await turns()
  expect(asked).toHaveLength(2)
  const fourth = read()
  asked[1]?.resolve(2)
  await expect(Promise.all([second, third])).resolves.toEqual([2, 2])
  await turns()
  asked[2]?.resolve(3)
  await expect(fourth).resolves.toBe(3)
})

test('an error is that of the callers that waited for this reading alone', async () => {
  const { asked, read } = source()
  const first = read()
  const second = read()
  asked[0]?.reject(new Error('away'))
  await expect(first).rejects.toThrow('away')
  await turns()
  asked[1]?.resolve(2)
  await expect(second).resolves.toBe(2)
  const third = read()
  asked[2]?.resolve(3)
  await expect(third).resolves.toBe(3)
})

test('a crowd waits for a rest, and who comes during the rest shares the reading', async () => {
  vi.useFakeTimers()
  const { asked, read } = source()
  const first = read()
  const crowd = Array.from({ length: 10 }, () => read())
  asked[0]?.resolve(1)
  await first
  await vi.advanceTimersByTimeAsync(0)
  expect(asked).toHaveLength(1)
  const late = read()
  await vi.advanceTimersByTimeAsync(2)
  expect(asked).toHaveLength(2)
  asked[1]?.resolve(2)
  await expect(Promise.all([...crowd, late])).resolves.toEqual(Array(11).fill(2))
})

test('where two may run at once, the second begins when the first is slow; a third waits for one of them', async () => {
  vi.useFakeTimers()
  const { asked, read } = source({ most: 2, slowMs: 8 })
  const first = read()
  const second = read()
  await vi.advanceTimersByTimeAsync(7)
  expect(asked).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(asked).toHaveLength(2)
  const third = read()
  await vi.advanceTimersByTimeAsync(20)
  expect(asked).toHaveLength(2)
  asked[1]?.resolve(2)
  await expect(second).resolves.toBe(2)
  await vi.advanceTimersByTimeAsync(0)
  expect(asked).toHaveLength(3)
  asked[2]?.resolve(3)
  asked[0]?.resolve(1)
  await expect(Promise.all([first, third])).resolves.toEqual([1, 3])
})

test('where two may run at once, the second begins at once when the first has ended', async () => {
  vi.useFakeTimers()
  const { asked, read } = source({ most: 2, slowMs: 8 })
  const first = read()
  const second = read()
  asked[0]?.resolve(1)
  await expect(first).resolves.toBe(1)
  await vi.advanceTimersByTimeAsync(0)
  expect(asked).toHaveLength(2)
  asked[1]?.resolve(2)
  await expect(second).resolves.toBe(2)
  expect(vi.getTimerCount()).toBe(0)
})
