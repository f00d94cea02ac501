import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cellRows } from './cell-rows.ts'

const cell = fc.oneof(
  fc.constant(null),
  fc.string({ unit: 'binary' }),
  fc.stringMatching(/^[\]["\\,]*$/),
)

test('any rows are read back in pieces of any size, from text and from bytes', () => {
  const cases = fc.record({
    rows: fc.array(fc.array(cell, { maxLength: 4 }), { maxLength: 12 }),
    size: fc.integer({ min: 1, max: 5 }),
    isText: fc.boolean(),
  })
  fc.assert(
    fc.property(cases, ({ rows, size, isText }) => {
      const text = JSON.stringify(rows).slice(1, -1)
      const all = cellRows(isText ? text : new TextEncoder().encode(text))
      const read: unknown[] = []
      for (;;) {
        const some = all.next(size)
        read.push(...some)
        if (some.length < size) break
      }
      expect(JSON.stringify(read)).toBe(JSON.stringify(rows))
      expect(all.byteLength()).toBe(0)
    }),
  )
})
