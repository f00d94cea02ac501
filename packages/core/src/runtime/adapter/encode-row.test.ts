import type { ScalarWireKind } from '@engine/contract'
import { describe, expect, test } from 'vitest'
import type { WireKind } from '../../compiler/sql-types/wire-kind.ts'
import { createArrayEncoder, createObjectEncoder } from './encode-row.ts'

function encoded(kind: WireKind, text: string | null): unknown {
  return createArrayEncoder([{ name: 'a', kind }])([text])
}

function arrayOf(element: ScalarWireKind, delimiter = ','): WireKind {
  return { kind: 'array', element, delimiter }
}

describe('scalars', () => {
  test.each([
    ['boolean', 't', '[true]'],
    ['boolean', 'f', '[false]'],
    ['boolean', 'true', '[true]'],
    ['integer', '-7', '[-7]'],
    ['bigint', '9223372036854775807', '["9223372036854775807"]'],
    ['decimal', '1.50', '["1.50"]'],
    ['decimal', 'NaN', '["NaN"]'],
    ['float', '1e+20', '[1e+20]'],
    ['float', '-0', '[-0]'],
    ['float', 'NaN', '["NaN"]'],
    ['float', '-Infinity', '["-Infinity"]'],
    ['bytes', '\\xdead', '["\\\\xdead"]'],
    ['json', '{"a": 12345678901234567890}', '[{"a": 12345678901234567890}]'],
    ['text', 'say "hi"\n', '["say \\"hi\\"\\n"]'],
    ['text', '', '[""]'],
  ] as const)('%s %j', (kind, text, json) => {
    expect(encoded({ kind }, text)).toBe(json)
  })

  test('NULL is null whatever the type', () => {
    expect(encoded({ kind: 'text' }, null)).toBe('[null]')
    expect(encoded(arrayOf('text'), null)).toBe('[null]')
  })
})

describe('arrays', () => {
  test.each([
    ['integer', '{1,NULL,3}', '[[1,null,3]]'],
    ['integer', '{}', '[[]]'],
    ['integer', '{{1,2},{3,4}}', '[[[1,2],[3,4]]]'],
    ['integer', '[0:1]={7,8}', '[[7,8]]'],
    ['integer', '[0:1][2:2]={{7},{8}}', '[[[7],[8]]]'],
    ['boolean', '{t,f}', '[[true,false]]'],
    ['bigint', '{9007199254740993}', '[["9007199254740993"]]'],
    ['float', '{NaN,1.5}', '[["NaN",1.5]]'],
    [
      'text',
      '{a,"NULL",NULL,"","b,c","d}","e\\"f","g\\\\h"}',
      '[["a","NULL",null,"","b,c","d}","e\\"f","g\\\\h"]]',
    ],
    ['text', '{"line\nbreak"}', '[["line\\nbreak"]]'],
    ['json', '{"{\\"a\\": [1, 2]}",NULL}', '[[{"a": [1, 2]},null]]'],
    ['bytes', '{"\\\\xff"}', '[["\\\\xff"]]'],
  ] as const)('of %s %j', (element, text, json) => {
    expect(encoded(arrayOf(element), text)).toBe(json)
  })

  test('boxes are separated by semicolons', () => {
    expect(encoded(arrayOf('text', ';'), '{(1,1),(0,0);(2,2),(1,1)}')).toBe(
      '[["(1,1),(0,0)","(2,2),(1,1)"]]',
    )
  })
})

describe('rows', () => {
  const columns = [
    { name: 'id', kind: { kind: 'integer' } },
    { name: 'name', kind: { kind: 'text' } },
  ] as const

  test('are positional', () => {
    expect(createArrayEncoder(columns)(['1', 'Ada'])).toBe('[1,"Ada"]')
  })

  test('may have no columns', () => {
    expect(createArrayEncoder([])([])).toBe('[]')
    expect(createObjectEncoder([])([])).toBe('{}')
  })

  test('leave out cells behind the last column', () => {
    expect(createArrayEncoder(columns)(['1', 'Ada', 't'])).toBe('[1,"Ada"]')
  })

  test('may be objects, where the last of equal names wins', () => {
    const encode = createObjectEncoder([...columns, { name: 'id', kind: { kind: 'text' } }])

    expect(encode(['1', 'Ada', 'x'])).toBe('{"id":"x","name":"Ada"}')
  })

  test('keep names that mean something in JavaScript', () => {
    const encode = createObjectEncoder([{ name: '__proto__', kind: { kind: 'integer' } }])

    expect(encode(['1'])).toBe('{"__proto__":1}')
  })
})
