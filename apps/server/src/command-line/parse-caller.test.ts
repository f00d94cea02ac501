import { admin, anonymous } from '@engine/core'
import { expect, test } from 'vitest'
import { parseCaller, parseCallerText } from './parse-caller.ts'

test('two callers have names', () => {
  expect(parseCallerText('admin')).toBe(admin)
  expect(parseCallerText(' anonymous ')).toBe(anonymous)
})

test('any other is an object; its id is a field too', () => {
  expect(parseCallerText('{"roles":["a"],"fields":{"x":1}}')).toEqual({
    kind: 'user',
    id: '',
    roles: ['a'],
    fields: { x: 1 },
  })
  expect(parseCaller({ id: 'ada' }, 'place')).toEqual({
    kind: 'user',
    id: 'ada',
    roles: [],
    fields: { id: 'ada' },
  })
})

test.each<[text: string, message: string]>([
  ['boss', '--as: expects admin, anonymous or {'],
  ['{"roles":"a"}', '--as.roles: expects a list of texts'],
  ['{"roles":[1]}', '--as.roles: expects a list of texts'],
  ['{"fields":[]}', '--as.fields: expects an object'],
  ['{"id":1}', '--as.id: expects a text'],
  ['{"role":["a"]}', 'unknown key "role"'],
  ['{"roles":[}', '--as: '],
])('%s is refused', (text, message) => {
  expect(() => parseCallerText(text)).toThrow(
    expect.objectContaining({
      problem: 'invalidConfiguration',
      message: expect.stringContaining(message),
    }),
  )
})
