import { expect, test } from 'vitest'
import type { Expression } from '../bind/tree/expression.ts'
import { oids } from '../sql-types/oids.ts'
import type { PgOperator } from '../sql-types/pg-type.ts'
import { isComparison, type PatternPrinters, printPatternOperator } from './operator-printers.ts'
import { renderSql, sql } from './sql-writer.ts'

const type = { oid: oids.text, typmod: -1 }
const value: Expression = { kind: 'constant', value: 'a', type }

const printers: PatternPrinters<undefined> = {
  like: () => sql`like`,
  ilike: () => sql`ilike`,
  regex: () => sql`regex`,
  regexInAnyCase: () => sql`regex in any case`,
  startsWith: () => sql`starts with`,
}

function printed(name: string): string | undefined {
  const operator: PgOperator = {
    oid: 1,
    name,
    leftOid: oids.text,
    rightOid: oids.text,
    resultOid: oids.bool,
    functionOid: 1,
    functionName: 'matches',
    isStrict: true,
    volatility: 'immutable',
    isLeakproof: false,
    canRaise: false,
    isAllowed: true,
    signature: name,
  }
  const expression = { kind: 'operator', operator, left: value, right: value, type } as const
  const fragment = printPatternOperator(expression, undefined, printers)
  return fragment && renderSql(fragment, { kind: 'positional' }).text
}

test('every operator of patterns has its printer, and a negated one its NOT', () => {
  expect(['~~', '~~*', '~', '~*', '^@'].map(printed)).toEqual([
    'like',
    'ilike',
    'regex',
    'regex in any case',
    'starts with',
  ])
  expect(['!~~', '!~~*', '!~', '!~*'].map(printed)).toEqual([
    '(not like)',
    '(not ilike)',
    '(not regex)',
    '(not regex in any case)',
  ])
  expect(['||', '!!', '='].map(printed)).toEqual([undefined, undefined, undefined])
})

test('a comparison is one of six operators', () => {
  expect(['=', '<>', '<', '<=', '>', '>='].every(isComparison)).toBe(true)
  expect(isComparison('~~')).toBe(false)
})
