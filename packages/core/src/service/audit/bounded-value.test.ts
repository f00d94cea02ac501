import { expect, test } from 'vitest'
import { boundedText, boundedValue } from './bounded-value.ts'

test('what is short stays as it is', () => {
  const value = ['a', 1, true, null, { deep: [1.5, 'x'] }]
  expect(boundedValue(value)).toEqual(value)
  expect(boundedText('abc', 3)).toBe('abc')
})

test('a long text says how much of it is missing', () => {
  const text = boundedText(`${'a,'.repeat(600)}`, 100)
  expect(text).toBe(`${'a,'.repeat(50)}…[+1100]`)
})

test('no text is cut through an e-mail address or a telephone number', () => {
  for (let fill = 60; fill < 100; fill += 1) {
    const mail = boundedText(`'${'x'.repeat(fill)}', 'ada.lovelace@example.com', 1, 2, 3`, 100)
    expect(mail).not.toMatch(/'ada(?!.lovelace@example.com')/)
    const phone = boundedText(`'${'x'.repeat(fill)}', '+1 (415) 555-2671', 1, 2, 3, 4`, 100)
    expect(phone).not.toMatch(/'\+1(?! \(415\) 555-2671')/)
  }
})

test('lists and objects end in how much of them is missing', () => {
  const list = boundedValue(Array.from({ length: 5_000 }, () => 1)) as unknown[]
  expect(list.length).toBeLessThan(1_000)
  expect(list.at(-1)).toBe(`…[+${5_001 - list.length}]`)
  const entries = Array.from({ length: 5_000 }, (_, i) => [`key${i}`, 'value'])
  const object = boundedValue(Object.fromEntries(entries)) as Record<string, unknown>
  expect(Object.keys(object).length).toBeLessThan(1_000)
  expect(object['…']).toBe(`[+${5_001 - Object.keys(object).length}]`)
})

test('whatever comes in, little comes out', () => {
  const text = 'x'.repeat(1_000_000)
  const deep = (depth: number): unknown => (depth === 0 ? text : [deep(depth - 1), text])
  const wide = Array.from({ length: 10_000 }, () => text)
  for (const value of [text, deep(100), wide, { [text]: text }]) {
    expect(JSON.stringify(boundedValue(value)).length).toBeLessThan(25_000)
  }
})

test('values that JSON has no form for become texts', () => {
  const raw = (JSON as unknown as { rawJSON(text: string): object }).rawJSON('12345678901234567890')
  expect(
    boundedValue([raw, 12345678901234567890n, new Uint8Array(3), new Date(0), new Date('x')]),
  ).toEqual([
    '12345678901234567890',
    '12345678901234567890',
    '[3 bytes]',
    '1970-01-01T00:00:00.000Z',
    'Invalid Date',
  ])
})
