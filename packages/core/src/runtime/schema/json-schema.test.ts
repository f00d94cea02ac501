import type { StandardSchemaV1 } from '@standard-schema/spec'
import Ajv2020 from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { z as z3 } from 'zod3'
import { jsonSchemaOf } from './json-schema.ts'

const draft = 'https://json-schema.org/draft/2020-12/schema'

/** Validates values against a schema with a validator of draft 2020-12. */
async function judge(schema: StandardSchemaV1, side: 'input' | 'output' = 'input') {
  const described = await jsonSchemaOf(schema, side)
  expect(described?.['$schema']).toBe(draft)
  const validate = new Ajv2020.default({
    strict: true,
    strictTuples: false,
    validateFormats: false,
  }).compile(described ?? {})
  return (value: unknown): boolean => validate(value)
}

const order = {
  zod4: z.object({
    items: z.array(z.object({ id: z.int(), count: z.int().min(1).default(1) })).min(1),
    note: z.string().max(10).nullish(),
    pair: z.tuple([z.string(), z.number()]).optional(),
  }),
  zod3: z3.object({
    items: z3
      .array(z3.object({ id: z3.number().int(), count: z3.number().int().min(1).default(1) }))
      .min(1),
    note: z3.string().max(10).nullish(),
    pair: z3.tuple([z3.string(), z3.number()]).optional(),
  }),
}

test.each(Object.entries(order))('%s: input is what a client may send', async (_, schema) => {
  const allows = await judge(schema)
  expect(allows({ items: [{ id: 1 }] })).toBe(true)
  expect(allows({ items: [{ id: 1, count: 2 }], note: null, more: true })).toBe(true)
  expect(allows({ items: [{ id: 1 }], pair: ['a', 1] })).toBe(true)
  expect(allows({ items: [{ id: 1 }], pair: [1, 'a'] })).toBe(false)
  expect(allows({ items: [] })).toBe(false)
  expect(allows({ items: [{ id: 1.5 }] })).toBe(false)
  expect(allows({ items: [{ id: 1 }], note: 'longer than ten' })).toBe(false)
})

test.each([
  ['zod4', z.object({ a: z.string().transform((text) => text.length) })],
  ['zod3', z3.object({ a: z3.string().transform((text) => text.length) })],
])('%s: a transformation answers anything, and is sent what it takes', async (_, schema) => {
  const sent = await judge(schema, 'input')
  expect([sent({ a: 'x' }), sent({ a: 1 })]).toEqual([true, false])
  const answered = await judge(schema, 'output')
  expect(answered({ a: 1 })).toBe(true)
})

test('moments and big integers are texts in an answer', async () => {
  const schema = z.object({ at: z.date(), big: z.bigint(), map: z.map(z.string(), z.date()) })
  expect(await jsonSchemaOf(schema, 'output')).toMatchObject({
    properties: { at: { type: 'string', format: 'date-time' }, big: { type: 'string' }, map: {} },
  })
  expect(await jsonSchemaOf(schema, 'input')).toMatchObject({ properties: { at: {}, big: {} } })
})

test('zod 3: keywords change, names and data do not', async () => {
  const tuple = z3.tuple([z3.object({ x: z3.string() })]).rest(z3.number())
  const schema = z3.object({
    items: tuple,
    additionalItems: z3.object({ items: tuple }),
    enum: z3.enum(['items']),
    again: tuple.items[0],
    data: z3.array(z3.any()).default([{ items: [1] }]),
  })
  const allows = await judge(schema)
  const good = { items: [{ x: 'a' }, 1, 2], additionalItems: { items: [{ x: 'b' }] } }
  expect(allows({ ...good, enum: 'items', again: { x: 'c' } })).toBe(true)
  expect(allows({ ...good, enum: 'items', again: { x: 1 } })).toBe(false)
  expect(allows({ ...good, enum: 'items', again: { x: 'c' }, items: [{ x: 'a' }, 'b'] })).toBe(
    false,
  )
  expect(await jsonSchemaOf(schema, 'input')).toMatchObject({
    properties: { data: { default: [{ items: [1] }] } },
  })
})

interface Tree {
  readonly name: string
  readonly children?: readonly Tree[] | undefined
}

const tree4 = z.object({
  name: z.string(),
  get children() {
    return z.array(tree4).optional()
  },
})

const tree3: z3.ZodType<Tree> = z3.object({
  name: z3.string(),
  children: z3.array(z3.lazy(() => tree3)).optional(),
})

const trees: readonly [string, StandardSchemaV1][] = [
  ['zod4', tree4],
  ['zod3', tree3],
]

test.each(trees)('%s: a schema may contain itself', async (_, schema) => {
  const allows = await judge(schema)
  expect(allows({ name: 'a', children: [{ name: 'b', children: [] }] })).toBe(true)
  expect(allows({ name: 'a', children: [{ name: 1 }] })).toBe(false)
})

test('any vendor that offers Standard JSON Schema is asked for it', async () => {
  const schema: StandardSchemaV1 & { '~standard': { jsonSchema: object } } = {
    '~standard': {
      version: 1,
      vendor: 'other',
      validate: (value) => ({ value }),
      jsonSchema: {
        input: (options: object) => ({ title: 'in', ...options }),
        output: (options: object) => ({ title: 'out', ...options }),
      },
    },
  }
  expect(await jsonSchemaOf(schema, 'input')).toEqual({ title: 'in', target: 'draft-2020-12' })
  expect(await jsonSchemaOf(schema, 'output')).toEqual({ title: 'out', target: 'draft-2020-12' })
})

test('a vendor that offers nothing leaves it unsaid', async () => {
  const schema: StandardSchemaV1 = {
    '~standard': { version: 1, vendor: 'other', validate: (value) => ({ value }) },
  }
  expect(await jsonSchemaOf(schema, 'input')).toBeUndefined()
})
