import fc from 'fast-check'
import { loadModule, scanSync } from 'libpg-query'
import { beforeAll, describe, expect, test } from 'vitest'
import { forEachToken } from './tokens.ts'

beforeAll(loadModule)

describe('the same brackets, commas and words as PostgreSQL sees', () => {
  const texts = [
    `select 'it''s (' , ")" from t`,
    String.raw`select e'\'(', E'\\' , 'a\' , (1)`,
    "select e'a'\n'\\'(' , (1)",
    "select e'a' -- (\n  '\\' , (1)",
    "select 'a' '('",
    "select 'a'\n'b('",
    'select $$ ( $$ , $a$ ( $$ ( $a$ , $a1$($a1$',
    'select a$b$c , ( $1, $2($3)',
    'select /* ( /* ( */ ( */ 1, -- (\n (2)',
    'select 1 --(\r, (2)',
    'select 1+-/*(*/-(2)',
    `select U&"a""(" , U&'(' , n'(' , b'1' , x'1f'`,
    'select a.case, 1. , .5, 1e5, 1.5e-3, 0x1F, 1_000, $1.x[2]',
    'select é($ü$ ( $ü$)',
    `select "a""(" , """("`,
    'select a::int[][] , b [ 1 : 2 ]',
    'select (1))) , ]',
  ]
  test.each(texts)('%s', (sql) => {
    expect(ours(sql)).toBe(theirs(sql))
  })

  test('in any mixture of the pieces that could hide a bracket', () => {
    const pieces = [
      ...[
        '(',
        ')',
        '[',
        ']',
        ',',
        ';',
        "'",
        "''",
        '"',
        '""',
        '\\',
        '$',
        '$$',
        '$a$',
        '$1',
        'a',
        'e',
      ],
      ...['E', "e'", 'u&', 'n', 'b', 'x', '--', '/*', '*/', '\n', '\r', '\t', ' ', '.', '1', '1e5'],
      ...[
        '+',
        '-',
        '*',
        '/',
        '=',
        '<',
        '@',
        ':',
        '::',
        '_',
        'é',
        'case',
        'end',
        'and',
        '0x1',
        "\\'",
      ],
    ]
    const text = fc
      .array(fc.constantFrom(...pieces), { maxLength: 14 })
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, (sql) => {
        const expected = theirs(sql)
        fc.pre(expected !== undefined)
        expect(ours(sql)).toBe(expected)
      }),
      { numRuns: 4000 },
    )
  })
})

function ours(sql: string): string {
  const seen: string[] = []
  forEachToken(sql, (kind, start, end) => {
    if (kind !== 'operator' && kind !== 'value') seen.push(sql.slice(start, end))
  })
  return structure(seen)
}

/** Undefined when PostgreSQL's scanner refuses the text. */
function theirs(sql: string): string | undefined {
  let tokens: ReturnType<typeof scanSync>['tokens']
  try {
    tokens = sql.trim() === '' ? [] : scanSync(sql).tokens
  } catch {
    return undefined
  }
  const bytes = new TextEncoder().encode(sql)
  return structure(
    tokens.map(({ start, end }) => new TextDecoder().decode(bytes.slice(start, end))),
  )
}

/** The tokens that decide the nesting. */
function structure(tokens: readonly string[]): string {
  return tokens.filter((token) => /^([()[\],;]|case|end|and)$/.test(token)).join(' ')
}
