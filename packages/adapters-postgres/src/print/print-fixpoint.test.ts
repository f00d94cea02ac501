import type { Introspection } from '@engine/core/adapter'
import { oids, type Table } from '@engine/core/catalog'
import type { Expression, Query } from '@engine/core/tree'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createPrintingEngine,
  type PrintingEngine,
  withoutRowLimit,
} from '../../test/support/printing-engine.ts'
import {
  and,
  bool,
  call,
  cast,
  column,
  constant,
  customers,
  int4,
  operation,
  operatorOf,
  orders,
  printed,
  select,
  sources,
  text,
  typeOf,
  whole,
} from '../../test/support/trees.ts'

// The text printed for random trees is parsed, bound and printed again: it must not change. A missing pair of
// parentheses or an operator that resolves to another one would show.

const introspection: Introspection = {
  types: [],
  tables: [orders, customers].map((table: Table) => ({
    schema: 'main',
    name: table.name,
    kind: 'table',
    comment: undefined,
    columns: table.columns,
    primaryKey: ['id'],
    uniqueKeys: [],
    foreignKeys: [],
  })),
}

type Trees = Record<'integer' | 'text' | 'truth', Expression> & Record<'query', Query>

const literal = fc.integer({ min: -9, max: 99 }).map((value) => constant(String(value)))

const { integer, truth } = fc.letrec<Trees>((tie) => ({
  integer: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.constantFrom(column(1, 0), column(1, 1)),
    literal,
    fc
      .tuple(
        fc.constantFrom('+', '-', '*', '/', '%', '&', '|', '#', '<<'),
        tie('integer'),
        tie('integer'),
      )
      .map(([name, left, right]) => operation(name, left, right)),
    fc
      .tuple(fc.constantFrom('-', '+', '~', '@'), tie('integer'))
      .map(([name, operand]) => operation(name, undefined, operand)),
    tie('text').map((operand) => call('length', operand)),
    tie('text').map((operand) => cast(operand, int4, 'inout')),
    fc.tuple(tie('truth'), tie('integer'), tie('integer')).map(
      ([condition, result, otherwise]): Expression => ({
        kind: 'case',
        whens: [{ condition, result }],
        otherwise,
        type: int4,
      }),
    ),
    fc
      .tuple(tie('integer'), tie('integer'))
      .map((args): Expression => ({ kind: 'coalesce', args, type: int4 })),
    fc
      .tuple(tie('integer'), tie('integer'))
      .map((args): Expression => ({ kind: 'extremum', function: 'least', args, type: int4 })),
    fc.array(tie('integer'), { minLength: 1, maxLength: 3 }).chain((elements) =>
      tie('integer').map(
        (index): Expression => ({
          kind: 'subscript',
          operand: { kind: 'array', elements, type: typeOf(oids.int4Array) },
          index,
          type: int4,
        }),
      ),
    ),
    tie('integer').map(
      (output): Expression => ({
        kind: 'subquery',
        query: select([output], [whole(customers, 2)]),
        type: int4,
      }),
    ),
  ),
  text: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constant(column(1, 2, text)),
    fc
      .string({ maxLength: 4 })
      .filter((value) => !value.includes('\0'))
      .map((value) => constant(value, text)),
    fc.tuple(tie('text'), tie('text')).map(([left, right]) => operation('||', left, right)),
    tie('integer').map((operand) => cast(operand, text, 'inout')),
    fc.tuple(tie('text'), tie('integer')).map(([value, length]) => call('left', value, length)),
    tie('text').map((operand): Expression => ({ kind: 'collate', operand, type: text })),
  ),
  truth: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.constantFrom(constant('true', bool), constant('false', bool)),
    fc
      .tuple(fc.constantFrom('=', '<>', '<', '<=', '>', '>='), tie('integer'), tie('integer'))
      .map(([name, left, right]) => operation(name, left, right)),
    fc
      .tuple(fc.constantFrom('=', '<', '~~', '!~~', '~', '!~*'), tie('text'), tie('text'))
      .map(([name, left, right]) => operation(name, left, right)),
    fc.tuple(tie('truth'), tie('truth')).map((operands) => flattened('and', operands)),
    fc.tuple(tie('truth'), tie('truth')).map((operands) => flattened('or', operands)),
    tie('truth').map((operand): Expression => ({ kind: 'not', operand, type: bool })),
    fc
      .tuple(tie('integer'), fc.boolean())
      .map(
        ([operand, negated]): Expression => ({ kind: 'nullTest', operand, negated, type: bool }),
      ),
    fc.tuple(tie('truth'), fc.constantFrom('true', 'false', 'unknown'), fc.boolean()).map(
      ([operand, test, negated]): Expression => ({
        kind: 'booleanTest',
        operand,
        test,
        negated,
        type: bool,
      }),
    ),
    fc.tuple(tie('integer'), tie('integer'), fc.boolean()).map(
      ([left, right, negated]): Expression => ({
        kind: 'distinctTest',
        operator: operatorOf('=', oids.int4),
        left,
        right,
        negated,
        type: bool,
      }),
    ),
    fc.tuple(tie('integer'), fc.array(literal, { minLength: 2, maxLength: 3 }), fc.boolean()).map(
      ([operand, items, negated]): Expression => ({
        kind: 'inList',
        operator: operatorOf('=', oids.int4),
        operand,
        items,
        negated,
        type: bool,
      }),
    ),
    tie('query').map((inner): Expression => ({ kind: 'exists', query: inner, type: bool })),
  ),
  query: fc
    .tuple(tie('integer'), tie('truth'))
    .map(([output, where]) => select([output], [whole(customers, 3)], { where })),
}))

/** Neighbours of the same operator are one node. */
function flattened(operator: 'and' | 'or', operands: readonly Expression[]): Expression {
  const flat = operands.flatMap((operand) =>
    operand.kind === 'logical' && operand.operator === operator ? operand.operands : [operand],
  )
  return { ...and(...flat), operator } as Expression
}

let printing: PrintingEngine
beforeAll(async () => {
  printing = await createPrintingEngine(introspection)
})
afterAll(() => printing.engine.close())

/** Both texts, with the names of the engine's tables. */
async function twice(body: Query): Promise<readonly [string, string]> {
  const first = printed(body).replaceAll('"public".', '"main".')
  const values = sources(body).map((source) => (source.from === 'constant' ? source.value : null))
  const { text: second } = await printing.print(first, values)
  return [renumbered(first), renumbered(withoutRowLimit(second))]
}

/** The binder numbers relations in another order; the trees above use the same numbers again. */
function renumbered(sqlText: string): string {
  return sqlText.replaceAll(/\bt\d+\b/g, (name) => (name === 't1' ? name : 't'))
}

test('random expressions', async () => {
  await fc.assert(
    fc.asyncProperty(integer, truth, async (output, where) => {
      const [first, second] = await twice(select([output], [whole(orders, 1)], { where }))
      expect(second).toBe(first)
    }),
    { numRuns: 300 },
  )
})

test('random queries', async () => {
  const operations = fc.letrec<Record<'tree', Query>>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3 },
      fc
        .tuple(integer, truth)
        .map(([output, where]) => select([output], [whole(orders, 1)], { where })),
      fc
        .tuple(
          fc.constantFrom('union', 'intersect', 'except'),
          fc.boolean(),
          tie('tree'),
          tie('tree'),
        )
        .map(
          ([operator, all, left, right]): Query => ({
            kind: 'setOperation',
            operator,
            all,
            left,
            right,
            ctes: [],
            columns: left.columns,
            orderBy: [],
            limit: undefined,
            offset: undefined,
          }),
        ),
    ),
  }))
  await fc.assert(
    fc.asyncProperty(operations.tree, async (tree) => {
      const [first, second] = await twice(tree)
      expect(second.replaceAll(/\bt1\b/g, 't')).toBe(first.replaceAll(/\bt1\b/g, 't'))
    }),
    { numRuns: 100 },
  )
})
