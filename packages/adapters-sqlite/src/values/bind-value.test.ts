import type { SqlValue } from '@engine/core/adapter'
import type { ParameterKind, StoredValue } from '@engine/core/values'
import { expect, test } from 'vitest'
import { bindValue } from './bind-value.ts'

const integers: ParameterKind = { kind: 'array', element: { kind: 'integer' } }

test.each<[ParameterKind, SqlValue, StoredValue]>([
  [{ kind: 'integer' }, '9223372036854775807', 9223372036854775807n],
  [{ kind: 'boolean' }, 'true', 1n],
  [{ kind: 'boolean' }, 'false', 0n],
  [{ kind: 'float' }, '1.5', 1.5],
  [{ kind: 'float' }, '-Infinity', Number.NEGATIVE_INFINITY],
  [{ kind: 'bytes' }, '\\xdeAD', Buffer.from([0xde, 0xad])],
  [{ kind: 'bytes' }, '\\x', Buffer.alloc(0)],
  [{ kind: 'text' }, '007', '007'],
  [{ kind: 'text' }, null, null],
  [integers, ['1', null, '9223372036854775807'], '[1,null,9223372036854775807]'],
  [integers, [['1'], ['2']], '[[1],[2]]'],
  [{ kind: 'array', element: { kind: 'text' } }, ['a"', 'b'], '["a\\"","b"]'],
  [{ kind: 'array', element: { kind: 'boolean' } }, ['true', 'false'], '[true,false]'],
  [
    { kind: 'array', element: { kind: 'float' } },
    ['1', '1e+21', '-Infinity'],
    '[1.0,1e+21,-9e999]',
  ],
  [{ kind: 'array', element: { kind: 'bytes' } }, ['\\xff0a'], '["FF0A"]'],
  [{ kind: 'step', step: 0 }, null, '[[1]]'],
])('%j of %j', (kind, value, bound) => {
  expect(bindValue(kind, value, new Map([[0, '[[1]]']]))).toEqual(bound)
})

test('NaN is refused: SQLite would store NULL', () => {
  expect(() => bindValue({ kind: 'float' }, 'NaN', new Map())).toThrow(
    expect.objectContaining({ code: 'E0A000' }),
  )
})
