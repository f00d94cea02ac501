import type { SqlValue } from '@engine/core/adapter'
import type { ParameterKind } from '@engine/core/values'
import { expect, test } from 'vitest'
import { type BoundValue, bindValue } from './bind-value.ts'

const listOf = (element: ParameterKind): ParameterKind => ({ kind: 'array', element })

test.each<[ParameterKind, SqlValue, BoundValue]>([
  [{ kind: 'integer' }, '9223372036854775807', 9223372036854775807n],
  [{ kind: 'boolean' }, 'true', '1'],
  [{ kind: 'boolean' }, 'false', '0'],
  [{ kind: 'float' }, '1.5', 1.5],
  [{ kind: 'real' }, '3.4028235e38', 3.4028234663852886e38],
  [{ kind: 'decimal' }, '-0.10', '-0.10'],
  [{ kind: 'bytes' }, '\\xdeAD', Buffer.from([0xde, 0xad])],
  [{ kind: 'text' }, "it's", "it's"],
  [{ kind: 'moment' }, '2024-01-15 10:30:00.25+00', '2024-01-15 10:30:00.25'],
  [{ kind: 'moment' }, '2024-01-15', '2024-01-15'],
  [{ kind: 'text' }, null, null],
  [{ kind: 'step', step: 2 }, null, '[[1]]'],
  [listOf({ kind: 'integer' }), ['1', null], '[1,null]'],
  [listOf({ kind: 'boolean' }), ['true', 'false'], '[true,false]'],
  [listOf({ kind: 'float' }), ['0.5'], '[0.5]'],
  [listOf({ kind: 'decimal' }), ['1.50'], '["1.50"]'],
  [listOf({ kind: 'bytes' }), ['\\xdead'], '["DEAD"]'],
  [listOf({ kind: 'moment' }), ['2024-01-15 10:30:00+00'], '["2024-01-15 10:30:00"]'],
  [listOf({ kind: 'text' }), [['a"', 'b'], []], '[["a\\"","b"],[]]'],
  [listOf({ kind: 'text' }), [], '[]'],
])('%j of %j', (parameter, value, bound) => {
  expect(bindValue(parameter, value, new Map([[2, '[[1]]']]))).toEqual(bound)
})

test.each<[ParameterKind['kind'] & ('float' | 'decimal' | 'moment'), string]>([
  ['float', 'NaN'],
  ['float', '-Infinity'],
  ['decimal', 'NaN'],
  ['decimal', `0.${'1'.repeat(31)}`],
  ['decimal', '1'.repeat(36)],
  ['moment', 'infinity'],
  ['moment', '0044-03-15 BC'],
  ['moment', '10000-01-01'],
])('a %s %s is refused', (kind, value) => {
  for (const [parameter, bound] of [
    [{ kind }, value],
    [listOf({ kind }), [value]],
  ] as const) {
    expect(() => bindValue(parameter, bound, new Map())).toThrow(
      expect.objectContaining({ problem: 'unsupported', sqlState: '0A000' }),
    )
  }
})
