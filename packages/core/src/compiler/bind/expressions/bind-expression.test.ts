import fc from 'fast-check'
import { expect, test } from 'vitest'
import { GatewayError } from '../../../foundation/errors.ts'
import { oids } from '../../sql-types/oids.ts'
import { bindFailure, bindForTest, types } from '../test-support/bind-for-test.ts'
import type { Expression } from '../tree/expression.ts'
import { freeRelations, visitQuery } from '../tree/visit-query.ts'

test.for([
  ['xmlelement(name a)', 'unsupported'],
  [`json_object('a': i)`, 'unsupported'],
  ['json_arrayagg(i)', 'unsupported'],
  ['t is json', 'unsupported'],
  [`json_value(jb, '$.a')`, 'unsupported'],
  ['merge_action()', 'unsupported'],
  ['default', '42601'],
  ['ctid', 'unknownColumn 42703'],
  ['xmin', 'unknownColumn 42703'],
  ['r.tableoid', '0A000'],
  ['rowid', 'unknownColumn 42703'],
  ['"__proto__"', 'unknownColumn 42703'],
  ['r."constructor"', 'unknownColumn 42703'],
  ['"toString"()', '42883'],
  ['i::"constructor"', '42704'],
  ['rank() over "__proto__"', '42704'],
  [`'x' collate "default"`, 'unsupported'],
  ['collation for (t)', 'badRequest 42883'],
  ['system_user', '42883'],
  ['t::regclass', '0A000'],
  ['null::main.r', '0A000: a row of a table as a type'],
  ['null::r', '0A000: a row of a table as a type'],
  ['i.t', '42P01'],
  ['t(r)', '42883'],
])('%s is refused', ([expression, failure]) => {
  expect(bindFailure(expression ?? '')).toContain(failure)
})

test('every error that has a place says it, in the message and beside it', () => {
  const bind = () => bindForTest('select i, nosuch(t) from main.r')
  expect(bind).toThrow('function nosuch(text) does not exist (position 11)')
  expect(bind).toThrow(expect.objectContaining({ position: 11, code: 'BAD_REQUEST' }))
})

const leaf = fc.constantFrom(
  ...['i', 'n2', 't', 'v', 'b', 'd', 'ts', 'jb', 'ia', 'm', 'dom', 'r.*', 'p', 'nosuch'],
  ...['$1', '$2', '1', '2.5', `'x'`, `'{}'`, 'null', 'true', `date '2024-01-01'`],
)

const { expression } = fc.letrec<{ expression: string }>((tie) => {
  const part = tie('expression')
  const filled = (...patterns: readonly string[]) =>
    fc
      .tuple(fc.constantFrom(...patterns), part, part, part)
      .map(([pattern, a, b, c]) => pattern.replace('A', a).replace('B', b).replace('C', c))
  return {
    expression: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      filled('(A + B)', '(A = B)', '(A || B)', '(A -> B)', '(A like B)', '(A and B)', '(not A)'),
      filled('(A in (B, C))', '(A between B and C)', '(A = any(B))', '((A, B) < (B, C))'),
      filled('coalesce(A, B)', 'nullif(A, B)', 'case A when B then C end', 'array[A, B]'),
      filled('(A)::int', '(A)::varchar(2)', '(A)::jsonb', '(A)[B]', '(A is null)', '(A is true)'),
      filled('lower(A)', 'round(A, B)', 'to_json(A)', 'concat(A, B)', 'generate_series(A, B)'),
      filled('sum(A)', 'count(distinct A)', 'json_agg(A order by B)', 'sum(A) filter (where B)'),
      filled('rank() over (order by A)', 'lag(A) over (partition by B order by C)'),
      filled('(select A from main.r)', 'exists (select A from main.p where B)'),
      filled('(A in (select B from main.r))', '(A > all (select max(B) from main.r))'),
    ),
  }
})

test('whatever is accepted is typed throughout and closed; the rest is refused properly', () => {
  let accepted = 0
  fc.assert(
    fc.property(expression, (text) => {
      const sql = `select ${text} from main.r`
      try {
        checkBound(sql)
        accepted += 1
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error
        expect(error.status, sql).toBe(400)
      }
    }),
    { numRuns: 1000 },
  )
  expect(accepted).toBeGreaterThan(100)
})

function checkBound(sql: string): void {
  const { query, parameterTypes } = bindForTest(sql)
  const ids = new Set<number>()
  visitQuery(query, {
    expression: (node) => {
      checkNode(node)
      if (node.kind === 'parameter') {
        expect(parameterTypes[node.index]?.oid, sql).toBe(node.type.oid)
      }
    },
    fromItem: (item) => {
      if (item.kind === 'join') return
      expect(ids.has(item.id), sql).toBe(false)
      ids.add(item.id)
    },
  })
  expect(freeRelations(query).size, sql).toBe(0)
}

function checkNode(node: Expression): void {
  const type = types.typeByOid(node.type.oid)
  expect(type?.oid).not.toBe(oids.unknown)
  expect(node.kind === 'wholeRow' || type?.kind !== 'pseudo').toBe(true)
  if ('function' in node && typeof node.function === 'object') {
    expect(node.function.isAllowed).toBe(true)
  }
  if ('operator' in node && typeof node.operator === 'object') {
    expect(node.operator.isAllowed).toBe(true)
  }
  if (node.kind === 'logical') {
    expect(node.operands.length).toBeGreaterThan(1)
    const isNested = node.operands.some(
      (operand) => operand.kind === 'logical' && operand.operator === node.operator,
    )
    expect(isNested).toBe(false)
  }
}
