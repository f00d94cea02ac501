import { expect, expectTypeOf, test } from 'vitest'
import type { Expression } from '../bind/tree/expression.ts'
import { oids } from '../sql-types/oids.ts'
import {
  allOf,
  commonPrinters,
  type ExpressionPrinters,
  type PrintedKind,
  printByKind,
} from './expression-printers.ts'
import { parameter, renderSql, type Sql, sql } from './sql-writer.ts'

interface Context {
  readonly oldConditions: readonly Sql[]
}

const type = { oid: oids.bool, typmod: -1 }
const text = (fragment: Sql) => renderSql(fragment, { kind: 'numbered', prefix: '?' }).text

const unused = (): Sql => {
  throw new Error('no test prints this kind')
}

const printers: ExpressionPrinters<Context> = {
  ...commonPrinters<Context>({
    print: (part, context) => print(part, context),
    printBranch: (part, context) => sql`b(${print(part, context)})`,
    unknown: sql`null`,
  }),
  parameter: ({ index }) => parameter({ from: 'request', index, type }),
  column: unused,
  constant: unused,
  caller: unused,
  requestTime: unused,
  call: unused,
  operator: unused,
  cast: unused,
  logical: unused,
  nullTest: unused,
  distinctTest: unused,
  nullIf: unused,
  extremum: unused,
  inList: unused,
  quantifiedArray: unused,
  array: unused,
  subscript: unused,
  arraySection: unused,
  row: unused,
  field: unused,
  rowComparison: unused,
  subquery: unused,
  exists: unused,
  quantifiedSubquery: unused,
  arraySubquery: unused,
  aggregate: unused,
  window: unused,
  collate: unused,
  wholeRow: unused,
}

const print: (expression: Expression, context: Context) => Sql = printByKind(printers)

const value = (index: number): Expression => ({ kind: 'parameter', index, type })

test('a dialect without a function for one kind does not compile', () => {
  type All = ExpressionPrinters<Context>
  expectTypeOf<Omit<All, 'wholeRow'>>().not.toExtend<All>()
  expectTypeOf<keyof All>().toEqualTypeOf<PrintedKind>()
})

test('CASE, COALESCE, NOT and IS are spelled alike', () => {
  const context = { oldConditions: [sql`old`] }
  const shown = (expression: Expression) => text(print(expression, context))
  const tested: Expression = {
    kind: 'booleanTest',
    operand: value(0),
    test: 'unknown',
    negated: true,
    type,
  }
  expect(shown(tested)).toBe('(?1 is not null)')
  expect(shown({ kind: 'not', operand: tested, type })).toBe('(not (?1 is not null))')
  const branches = {
    whens: [{ condition: value(0), result: value(1) }],
    otherwise: value(2),
    type,
  }
  expect(shown({ kind: 'case', ...branches })).toBe('case when ?1 then b(?2) else b(?3) end')
  expect(shown({ kind: 'coalesce', args: [value(0), value(1)], type })).toBe(
    'coalesce(b(?1), b(?2))',
  )
  expect(shown({ kind: 'coalesce', args: [value(0)], type })).toBe('b(?1)')
  expect(shown({ kind: 'oldCondition', index: 0, type })).toBe('old')
})

test('a sort key reaches no printer of expressions', () => {
  expect(() => print({ kind: 'output', index: 0, type }, { oldConditions: [] })).toThrow(
    'an expression of kind output reached the printer',
  )
})

test('conditions that must all hold', () => {
  expect(allOf([undefined])).toBeUndefined()
  expect(text(allOf([sql`a`, undefined, sql`b`]) ?? sql``)).toBe('a and b')
})
