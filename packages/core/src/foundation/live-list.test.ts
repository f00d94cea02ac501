import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createLiveList, type LiveEntry } from './live-list.ts'

it('holds what was added and not removed, whatever the order', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.nat(20), { nil: undefined })), (steps) => {
      const list = createLiveList<number>()
      const entries: LiveEntry<number>[] = []
      const expected = new Set<number>()
      for (const [step, removed] of steps.entries()) {
        if (removed === undefined) {
          entries.push(list.add(step))
          expected.add(step)
        } else {
          const entry = entries[removed]
          if (entry === undefined) continue
          list.remove(entry)
          expected.delete(entry.value)
        }
        expect(list.size).toBe(expected.size)
        expect(new Set(list)).toEqual(expected)
      }
    }),
  )
})

it('may change while it is iterated', () => {
  const list = createLiveList<string>()
  const entries = ['a', 'b', 'c'].map((value) => list.add(value))
  const seen: string[] = []
  for (const value of list) {
    seen.push(value)
    for (const entry of entries) list.remove(entry)
  }
  expect(seen).toEqual(['a', 'b', 'c'])
  expect(list.size).toBe(0)
})
