import { beforeAll, describe, expect, test } from 'vitest'
import { loadParser } from './parser-module.ts'
import { splitScript } from './split-script.ts'

beforeAll(loadParser)

const parts = (sql: string) => splitScript(sql).map(({ sql: own, offset }) => [own, offset])

test('a text without statements has none', () => {
  for (const sql of ['', ' ', ';', ';;', '-- comment', '/* ping */ ; -- more']) {
    expect(parts(sql)).toEqual([])
  }
})

test('each statement has its own text, without comments before it and the semicolon', () => {
  expect(parts("/* a */ select ';' ;; begin; -- b\n select $$;$$ -- c")).toEqual([
    ["select ';' ", 8],
    ['begin', 22],
    ['select $$;$$ -- c', 35],
  ])
})

test('offsets count characters, however many bytes they take', () => {
  expect(parts("select 'ä😀' ; select '–'")).toEqual([
    ["select 'ä😀' ", 0],
    ["select '–'", 14],
  ])
})

test('every statement comes with its tree', () => {
  const kinds = splitScript('select 1; drop table a; copy a to stdout').flatMap(({ tree }) =>
    Object.keys(tree as object),
  )
  expect(kinds).toEqual(['SelectStmt', 'DropStmt', 'CopyStmt'])
})

test('a syntax error anywhere refuses the text, with its position in characters', () => {
  expect(() => splitScript("select 'ä😀'; selec 1")).toThrow(
    expect.objectContaining({
      problem: 'syntaxError',
      sqlState: '42601',
      message: 'syntax error at or near "selec"',
      position: 14,
    }),
  )
  expect(() => splitScript('select 1 +')).toThrow(
    expect.objectContaining({ message: 'syntax error at end of input', position: 11 }),
  )
})

test('a text that the parser must not see is refused', () => {
  expect(() => splitScript(`select ${'('.repeat(5000)}`)).toThrow(
    expect.objectContaining({ problem: 'limitExceeded' }),
  )
  expect(() => splitScript('select 1', { maxLength: 3 })).toThrow(
    expect.objectContaining({ problem: 'limitExceeded' }),
  )
  expect(() => splitScript(';'.repeat(10_001))).toThrow(
    expect.objectContaining({ problem: 'limitExceeded' }),
  )
  expect(splitScript(`select '${';'.repeat(10_001)}'`)).toHaveLength(1)
})

describe('an INSERT of many rows', () => {
  const rows = (count: number) =>
    Array.from({ length: count }, (_, i) => `($${2 * i + 1}, $${2 * i + 2})`).join(', ')

  test('is one statement, with one row in its tree', () => {
    const insert = `insert into "main"."t" (a, b) values ${rows(32_767)} returning nope`
    const [statement, ...others] = splitScript(`  ${insert} ; `)
    expect(others).toEqual([])
    expect(statement?.sql.trim()).toBe(insert)
    expect(JSON.stringify(statement?.tree).length).toBeLessThan(2000)
    const location = Number(/"nope".*?"location":(\d+)/.exec(JSON.stringify(statement?.tree))?.[1])
    expect(statement?.positionOf(location)).toBe((statement?.sql.indexOf('nope') ?? 0) + 1)
  })

  test('with another statement is split as any text', () => {
    const insert = `insert into t values ${rows(30)}`
    expect(splitScript(`${insert}; ${insert}`).map(({ sql }) => sql.trim())).toEqual([
      insert,
      insert,
    ])
    expect(splitScript(`select 1; ${insert}`)).toHaveLength(2)
    expect(splitScript(`select * from (values ${rows(30)}) q`)).toHaveLength(1)
  })
})
