import { expect, test } from 'vitest'
import { createTurnBudget } from './turn-budget.ts'

/** A budget whose clock and turns are moved by the test. */
function started() {
  let clockMs = 0
  let turns: (() => void)[] = []
  const budget = createTurnBudget(
    () => clockMs,
    (callback) => turns.push(callback),
  )
  return {
    work: (name: string, takesMs: number) =>
      budget.run(() => {
        clockMs += takesMs
        return name
      }),
    fails: (error: Error) =>
      budget.run(() => {
        throw error
      }),
    turn: () => {
      const due = turns
      turns = []
      for (const callback of due) callback()
      return due.length
    },
  }
}

/** Of promises, those that are settled. */
async function settled(promises: readonly unknown[]): Promise<readonly unknown[]> {
  const results: unknown[] = []
  for (const promise of promises) {
    void Promise.resolve(promise).then((result) => results.push(result))
  }
  await new Promise((resolve) => setImmediate(resolve))
  return results
}

test('work begins at once until the turn has had its portion', () => {
  const { work } = started()

  expect(work('a', 3)).toBe('a')
  expect(work('b', 3)).toBe('b')
  expect(work('c', 1)).toBeInstanceOf(Promise)
})

test('the next turn goes on in the order of the calls, a portion in each', async () => {
  const { work, turn } = started()
  expect(work('a', 10)).toBe('a')
  const later = ['b', 'c', 'd', 'e'].map((name) => work(name, 3))

  turn()
  expect(await settled(later)).toEqual(['b', 'c'])
  const latest = work('f', 1)
  turn()
  expect(await settled([...later, latest])).toEqual(['b', 'c', 'd', 'e'])
  turn()
  expect(await settled([latest])).toEqual(['f'])
})

test('a turn without work is the last one that it asks for', () => {
  const { work, turn } = started()
  expect(work('a', 1)).toBe('a')

  expect(turn()).toBe(1)
  expect(turn()).toBe(0)
  expect(work('b', 1)).toBe('b')
})

test('work that fails does so for its caller alone', async () => {
  const { work, fails, turn } = started()
  expect(work('a', 10)).toBe('a')
  const failed = fails(new Error('no'))
  const after = work('b', 1)

  turn()

  await expect(failed).rejects.toThrow('no')
  expect(await after).toBe('b')
})
