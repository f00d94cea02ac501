import { describe, expect, test } from 'vitest'
import { operandKind, operandOf, operatorsFor, textOf } from './operators.ts'

describe('operands', () => {
  test.each([
    ['7', '$eq', 'integer', 7],
    ['9007199254740993', '$eq', 'bigint', '9007199254740993'],
    ['7', '$eq', 'text', '7'],
    ['', '$eq', 'integer', ''],
    ['new, paid', '$in', 'text', ['new', 'paid']],
    ['["a,b", "c"]', '$in', 'text', ['a,b', 'c']],
    ['1, 2', '$between', 'integer', [1, 2]],
    ['true', '$eq', 'boolean', true],
    ['$user.x', '$eq', 'text', { $literal: '$user.x' }],
    ['{"a":1}', '$contains', 'jsonb', { a: 1 }],
    ['x, y', '$overlaps', 'text[]', ['x', 'y']],
    ['x, y', '$contains', 'text[]', ['x', 'y']],
    ['{x,y}', '$eq', 'text[]', '{x,y}'],
    ['a, 5', '$overlaps', 'jsonb', ['a', '5']],
    ['5', '$hasKey', 'jsonb', '5'],
    ['[1,5)', '$overlaps', 'int4range', '[1,5)'],
    ['true, false', '$in', 'boolean', [true, false]],
  ])('%s of %s on %s', (text, operator, type, operand) => {
    expect(operandOf(text, operator, type)).toEqual(operand)
    expect(operandOf(textOf(operand), operator, type)).toEqual(operand)
  })

  test('a field of the caller is no constant', () => {
    expect(operandKind('$user.id')).toBe('field')
    expect(operandKind({ $literal: '$user.id' })).toBe('value')
    expect(operandKind({ $now: '-1d' })).toBe('now')
    expect(operandKind({ $col: 'other' })).toBe('written')
  })

  test('operators follow the type of the column', () => {
    expect(operatorsFor('boolean')).not.toContain('$like')
    expect(operatorsFor('text')).toContain('$startsWith')
    expect(operatorsFor('numeric(10,2)')).toContain('$between')
    expect(operatorsFor('text[]')).toContain('$overlaps')
    expect(operatorsFor('boolean')).toEqual(['$eq', '$ne', '$isNull', '$notNull'])
    expect(operatorsFor('character varying(20)')).toContain('$ilike')
    expect(operatorsFor('int4range')).toContain('$containedBy')
    expect(operatorsFor('json')).toEqual(['$isNull', '$notNull'])
  })
})
