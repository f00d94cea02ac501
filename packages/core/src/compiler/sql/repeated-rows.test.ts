import { beforeAll, describe, expect, test } from 'vitest'
import { GatewayError } from '../../foundation/errors.ts'
import { loadParser, parseStatement } from './parse.ts'
import { foldRows } from './repeated-rows.ts'

beforeAll(loadParser)

/** `count` rows of `cells` parameters each. */
function rows(count: number, cells: number, from = 0): string {
  return Array.from({ length: count }, (_, row) => {
    const first = from + row * cells + 1
    return `(${Array.from({ length: cells }, (_, i) => `$${first + i}`).join(', ')})`
  }).join(', ')
}

describe('folded', () => {
  test('one row of each shape is left', () => {
    const text = `insert into t (a, b) values ${rows(20, 2)}, ($41, default), ($42, $43) returning a`
    expect(foldRows(text)).toEqual({
      text: 'insert into t (a, b) values ($1, $2), ($41, default) returning a',
      shapes: [
        expect.objectContaining({ firstParameter: 0, parameters: 2, cells: 2 }),
        expect.objectContaining({ firstParameter: 40, parameters: 1, cells: 2 }),
      ],
      rows: [
        ...Array.from({ length: 20 }, (_, row) => ({ shape: 0, shift: 2 * row })),
        { shape: 1, shift: 0 },
        { shape: 0, shift: 41 },
      ],
      parameterCount: 43,
      bytes: { from: 28, to: 52 },
      end: 52,
      removed: text.length - 64,
    })
  })

  test.each([
    ['literals', `($1, null, true, -1.5, 'a b')`],
    ['conversions', `($1::int, 'x'::text, $2::date)`],
    ['no blanks', `($1,$2)`],
    ['line breaks', `(\n  $1,\n  $2\n)`],
  ])('%s', (_, row) => {
    const width = row.includes('$2') ? 2 : 1
    const shifted = (by: number) => row.replace(/\$(\d)/g, (_, n) => `$${Number(n) + by}`)
    const all = Array.from({ length: 30 }, (_, i) => shifted(i * width)).join(',\n')
    expect(foldRows(`insert into t values ${all}`)?.rows).toHaveLength(30)
  })
})

describe('not folded', () => {
  test.each([
    ['few rows', `insert into t values ${rows(19, 2)}`],
    ['another cell', `insert into t values ${rows(30, 2)}, (now(), $61)`],
    ['a comment', `insert into t values ${rows(30, 2)}, ($61, /* */ $62)`],
    ['an escape', `insert into t values ${rows(30, 2)}, ($61, 'a''b')`],
    ['an escape string', `insert into t values ${rows(30, 2)}, ($61, E'a')`],
    ['a gap', `insert into t values ${rows(30, 2)}, ($61, $63)`],
    ['the same parameter again', `insert into t values ${rows(30, 2)}, ($1, $2)`],
    ['a row without parameters', `insert into t values ${rows(30, 2)}, (1, 2)`],
    [
      'many shapes',
      `insert into t values ${Array.from({ length: 30 }, (_, i) => `($${i + 1}, ${i})`)}`,
    ],
    ['a letter that looks like a blank', `insert into t values ${rows(30, 2)}, (\u00a0$61, $62)`],
    ['a string', `insert into t select 'values ${rows(30, 2)}'`],
    ['a comment around it', `insert into t /* values ${rows(30, 2)} */ select 1`],
    ['a quoted name', `insert into t select 1 as "values ${rows(30, 2)}"`],
    ['a dollar quote', `insert into t select $$values ${rows(30, 2)}$$`],
  ])('%s', (_, text) => {
    expect(foldRows(text)).toBeUndefined()
  })
})

describe('parsed', () => {
  const insert = (rest = '') => `insert into "main"."t" (a, b) values ${rows(1000, 2)}${rest}`

  test('as one row, with the parameters and parts of all', () => {
    const parsed = parseStatement(insert(' returning $2001'))
    expect(parsed.parameterCount).toBe(2001)
    expect(parsed.nodes).toBeGreaterThan(3000)
    expect(parsed.repeated?.rows).toHaveLength(1000)
    expect(parsed.repeated?.values.valuesLists).toHaveLength(1)
  })

  test('65 535 parameters', () => {
    for (const cells of [1, 3, 15]) {
      const text = `insert into "main"."t" values ${rows(65_535 / cells, cells)}`
      expect(parseStatement(text).parameterCount).toBe(65_535)
    }
    expect(errorOf(`insert into t values ${rows(65_536, 1)}`)).toMatchObject({ status: 400 })
  })

  test('positions after the rows are those of the whole text', () => {
    const text = insert(' returning nope nope nope')
    expect(errorOf(text).position).toBe(text.lastIndexOf('nope') + 1)
    const accented = `insert into "main"."é" (a, b) values ${rows(30, 2)} returning json_object('a': 1)`
    expect(errorOf(accented).position).toBe(accented.indexOf('json_object') + 1)
    const two = `${insert()}; select 1`
    expect(errorOf(two).position).toBe(two.indexOf('select 1') + 1)
  })

  test('rows of another VALUES are not taken for those of the INSERT', () => {
    for (const text of [
      `with w as (values ${rows(30, 1)}) insert into "main"."t" values ($1)`,
      `with w as (insert into "main"."u" values ${rows(30, 1)} returning 1) insert into "main"."t" values ($1)`,
      `insert into "main"."t" values ($1) on conflict (a) do update set a = (select max(column1) from (values ${rows(30, 1)}) v)`,
      `insert into "main"."t" values ($1) returning (select count(*) from (values ${rows(30, 1)}) v)`,
    ]) {
      expect(parseStatement(text).repeated).toBeUndefined()
    }
  })

  test('rows of other statements are parsed in full', () => {
    for (const text of [
      `select * from (values ${rows(30, 2)}) q`,
      `values ${rows(30, 2)}`,
      `with w as (values ${rows(30, 2)}) insert into "main"."t" select * from w`,
      `with w as (insert into "main"."t" values ${rows(30, 2)}) select 1`,
      `insert into "main"."t" values ((select count(*) from (values ${rows(30, 2)}) q))`,
    ]) {
      const parsed = parseStatement(text)
      expect(parsed.repeated).toBeUndefined()
      expect(parsed.parameterCount).toBe(60)
    }
  })
})

function errorOf(sql: string): GatewayError {
  try {
    parseStatement(sql)
  } catch (error) {
    if (error instanceof GatewayError) return error
    throw error
  }
  throw new Error(`accepted: ${sql.slice(0, 100)}`)
}
