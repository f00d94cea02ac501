import type { JsonSchema } from '@engine/contract'
import { expect, test } from 'vitest'
import { createNameSpace } from '../names/name-space.ts'
import { shapeOfSchema } from './json-schema-shape.ts'
import { printType } from './print-typescript.ts'
import { printZod } from './print-zod.ts'

/** The type, and the types that it refers to, in one line each. */
function typeOf(schema: JsonSchema): readonly string[] {
  const { shape, definitions } = shapeOfSchema(schema, 'Input', createNameSpace([]))
  const line = (text: string) => text.replaceAll(/\s+/g, ' ')
  return [
    line(printType(shape, '')),
    ...definitions.map((each) => `${each.name} = ${line(printType(each.shape, ''))}`),
  ]
}

const text = { type: 'string' }
const number = { type: 'number' }

test.each<[string, JsonSchema, string]>([
  ['nothing', {}, 'unknown'],
  ['a text', text, 'string'],
  ['an integer', { type: 'integer', minimum: 1 }, 'number'],
  ['several types', { type: ['string', 'null'] }, 'string | null'],
  ['a choice', { enum: ['a', 1, null, true] }, "'a' | 1 | null | true"],
  ['a choice of a type', { type: 'string', enum: ['a', "b'"] }, "'a' | 'b\\''"],
  ['one value', { const: 'x' }, "'x'"],
  ['alternatives', { anyOf: [text, number, text] }, 'string | number'],
  ['alternatives with anything', { anyOf: [text, {}] }, 'unknown'],
  ['all of it', { allOf: [{ $ref: '#/x' }, text] }, 'string'],
  ['a list', { type: 'array', items: { type: ['string', 'null'] } }, '(string | null)[]'],
  ['a list of anything', { type: 'array' }, 'unknown[]'],
  ['a tuple', { type: 'array', prefixItems: [text, number] }, '[string, number]'],
  [
    'a tuple with a rest',
    { type: 'array', prefixItems: [text], items: { anyOf: [number, text] } },
    '[string, ...(number | string)[]]',
  ],
  ['any object', { type: 'object' }, 'Record<string, unknown>'],
  ['a map', { type: 'object', additionalProperties: number }, 'Record<string, number>'],
  [
    'a map whose keys are listed',
    {
      type: 'object',
      propertyNames: { type: 'string', enum: ['a', 'b'] },
      additionalProperties: number,
      required: ['a'],
    },
    '{ a: number b?: number }',
  ],
  [
    'a map whose keys have a form',
    { type: 'object', propertyNames: { pattern: '^x' }, additionalProperties: number },
    'Record<string, number>',
  ],
  ['an empty object', { type: 'object', properties: {} }, 'Record<string, never>'],
  [
    'an object',
    { type: 'object', properties: { a: text, 'b c': number }, required: ['a'] },
    "{ a: string 'b c'?: number }",
  ],
  [
    'an object with more',
    { type: 'object', properties: { a: text }, additionalProperties: {} },
    '{ a?: string [key: string]: unknown }',
  ],
  [
    'a description',
    { properties: { a: { ...text, description: 'Ends */ here\nand goes on.' } } },
    '{ /** Ends *\\/ here and goes on. */ a?: string }',
  ],
  ['never', { type: 'array', items: false }, 'never[]'],
  ['a type that there is not', { type: 'date' }, 'unknown'],
])('%s', (_, schema, type) => {
  expect(typeOf(schema)).toEqual([type])
})

test('what is referred to has a name, and may contain itself', () => {
  const tree = {
    type: 'object',
    properties: { value: text, children: { type: 'array', items: { $ref: '#/$defs/tree' } } },
    required: ['value', 'children'],
  }
  expect(typeOf({ $ref: '#/$defs/tree', $defs: { tree } })).toEqual([
    'InputTree',
    'InputTree = { value: string children: InputTree[] }',
  ])
})

test('the whole may contain itself', () => {
  expect(typeOf({ type: 'object', properties: { next: { $ref: '#' } } })).toEqual([
    '{ next?: Input }',
    'Input = { next?: Input }',
  ])
})

test('a map may contain itself', () => {
  const map = { type: 'object', additionalProperties: { $ref: '#' } }
  expect(typeOf({ anyOf: [text, map] })).toEqual([
    'string | { [key: string]: Input }',
    'Input = string | { [key: string]: Input }',
  ])
})

test('what is nothing but itself is anything', () => {
  expect(typeOf({ $ref: '#' })).toEqual(['unknown'])
  const circle = {
    $ref: '#/$defs/a',
    $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } },
  }
  expect(typeOf(circle)).toEqual(['InputA', 'InputA = InputB', 'InputB = unknown'])
})

test('a reference that leads nowhere is anything', () => {
  for (const $ref of ['#/$defs/no', '#/%', 'https://example.com/schema', '#/__proto__/x']) {
    expect(typeOf({ properties: { a: { $ref } } })).toEqual(['{ a?: unknown }'])
  }
})

test('the same as zod', () => {
  const schema = {
    type: 'object',
    properties: {
      'a b': { type: ['string', 'null'] },
      ['__proto__']: number,
      pair: { type: 'array', prefixItems: [{ const: "it's" }], items: { type: 'boolean' } },
    },
    required: ['a b'],
    additionalProperties: true,
  }
  const { shape } = shapeOfSchema(schema, 'Input', createNameSpace([]))
  expect(printZod(shape, '', (name) => name)).toBe(`z.object({
  'a b': z.union([z.string(), z.null()]),
  ['__proto__']: z.number().optional(),
  pair: z.tuple([z.literal('it\\'s')], z.boolean()).optional(),
}).catchall(z.unknown())`)
})
