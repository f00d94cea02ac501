import { expect, test } from 'vitest'
import { fieldsOf, inputOf } from './form-fields.ts'

const schema = {
  type: 'object',
  properties: {
    to: { type: 'string', description: 'The address.', format: 'email' },
    amount: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    isGift: { type: 'boolean', default: false },
    status: { enum: ['new', 7, null] },
    lines: { type: 'array', items: {} },
    any: true,
  },
  required: ['to', 'amount'],
}

test('each property is a field of its kind', () => {
  expect(fieldsOf(schema)).toEqual([
    {
      name: 'to',
      kind: 'text',
      isRequired: true,
      choices: [],
      hint: 'The address. string, format email',
    },
    { name: 'amount', kind: 'number', isRequired: true, choices: [], hint: 'integer, minimum 1' },
    {
      name: 'isGift',
      kind: 'boolean',
      isRequired: false,
      choices: ['true', 'false'],
      hint: 'boolean, default false',
    },
    {
      name: 'status',
      kind: 'choice',
      isRequired: false,
      choices: ['"new"', '7', 'null'],
      hint: '',
    },
    { name: 'lines', kind: 'json', isRequired: false, choices: [], hint: 'array' },
    { name: 'any', kind: 'json', isRequired: false, choices: [], hint: '' },
  ])
})

test.each([[{}], [{ type: 'string' }], [{ type: 'object' }], [{ anyOf: [] }]])(
  '%j is written as JSON',
  (other) => {
    expect(fieldsOf(other)).toBeUndefined()
  },
)

test('what was typed becomes the input; what is empty is left out', () => {
  const fields = fieldsOf(schema) ?? []
  expect(
    inputOf(fields, { to: 'a "b"', amount: '7', isGift: 'true', status: '"new"', lines: '[1]' }),
  ).toEqual({ to: 'a "b"', amount: 7, isGift: true, status: 'new', lines: [1] })
  expect(inputOf(fields, { to: '', amount: '' })).toEqual({})
  expect(() => inputOf(fields, { amount: 'x' })).toThrow('amount is no JSON value')
})
