import { expect, test } from 'vitest'
import { csvOf, curlOf, kyselyOf } from './export-text.ts'

const url = 'https://engine.example.com'

test('CSV quotes what needs it, and disarms formulas', () => {
  const text = csvOf({
    columns: [
      { name: 'a', type: 'text' },
      { name: 'b,c', type: 'text' },
    ],
    rows: [
      ['=1+1', null],
      ['say "hi"', { x: 1 }],
      [-5, '-5'],
      ['', '@x'],
    ],
  })
  expect(text.split('\r\n')).toEqual([
    'a,"b,c"',
    "'=1+1,",
    '"say ""hi""","{""x"":1}"',
    '-5,-5',
    `"",'@x`,
  ])
})

test('a quote stays inside the argument of curl', () => {
  expect(curlOf({ sql: `select 'a'`, params: [], url })).toContain(`select '\\''a'\\''`)
})

test('parameters become values of the template, other text stays as it is', () => {
  const text = kyselyOf({ sql: "select $1, '$1', `${x}`", params: ['a'], url })
  expect(text).toContain('select ${"a"}, \'$1\', \\`\\${x}\\`')
})
