import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lineDiff } from './line-diff.ts'

test('a change is shown with the lines around it', () => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`)
  const before = `${lines.join('\n')}\n`
  const after = before.replace('line 9\n', 'line nine\nand a half\n')
  expect(lineDiff(before, after, 'file.ts')).toBe(
    [
      '--- file.ts',
      '+++ file.ts (as it should be)',
      '@@ -7,7 +7,8 @@',
      ' line 6',
      ' line 7',
      ' line 8',
      '-line 9',
      '+line nine',
      '+and a half',
      ' line 10',
      ' line 11',
      ' line 12',
    ].join('\n'),
  )
})

test('changes far apart are shown apart', () => {
  const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`)
  const after = lines.map((line, index) => (index === 2 || index === 27 ? `${line}!` : line))
  const diff = lineDiff(lines.join('\n'), after.join('\n'), 'x')
  expect(diff.match(/^@@ .*$/gm)).toEqual(['@@ -1,6 +1,6 @@', '@@ -25,6 +25,6 @@'])
})

test('a new file is all new', () => {
  expect(lineDiff('', 'a\nb\n', 'x')).toContain('@@ -0,0 +1,2 @@\n+a\n+b')
})

test('the same is nothing', () => {
  expect(lineDiff('a\n', 'a\n', 'x')).toBe('')
})

const line = fc.constantFrom('a', 'b', 'c', 'd')
const text = fc
  .array(line, { maxLength: 30 })
  .map((lines) => lines.map((each) => `${each}\n`).join(''))

test('applying it gives the new text', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      expect(applied(before, lineDiff(before, after, 'x'))).toBe(after)
    }),
  )
})

test('texts that have nothing in common are printed in full, and soon', () => {
  const before = Array.from({ length: 3_000 }, (_, index) => `old ${index}\n`).join('')
  const after = Array.from({ length: 3_000 }, (_, index) => `new ${index}\n`).join('')
  expect(applied(before, lineDiff(before, after, 'x'))).toBe(after)
})

function applied(before: string, diff: string): string {
  const old = before.split('\n').slice(0, -1)
  const made: string[] = []
  let at = 0
  for (const part of diff.split('\n').slice(2)) {
    const place = /^@@ -(\d+),(\d+) /.exec(part)
    if (place !== null) {
      const start = Number(place[1]) - (place[2] === '0' ? 0 : 1)
      made.push(...old.slice(at, start))
      at = start
    } else if (part.startsWith('+')) {
      made.push(part.slice(1))
    } else {
      expect(part.slice(1)).toBe(old[at])
      if (part.startsWith(' ')) made.push(part.slice(1))
      at += 1
    }
  }
  made.push(...old.slice(at))
  return made.map((each) => `${each}\n`).join('')
}
