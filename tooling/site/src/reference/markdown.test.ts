import { expect, test } from 'vitest'
import { code, markdownTable, safeText } from './markdown.ts'

test('a table has one line for each row, and bars in cells are escaped', () => {
  expect(markdownTable(['a', 'b'], [['1 | 2', 'x\n  y']])).toBe(
    '| a | b |\n|---|---|\n| 1 \\| 2 | x y |',
  )
})

test('code may contain backticks', () => {
  expect(code('a')).toBe('`a`')
  expect(code('a`b')).toBe('`` a`b ``')
})

test('what looks like HTML or a template is text, except in code', () => {
  expect(safeText('a <b> `Promise<void>` {{ c }}')).toBe(
    'a &lt;b> `Promise<void>` &#123;&#123; c }}',
  )
})
