import { expect, test } from 'vitest'
import { z } from 'zod'
import { describeOptions } from './describe-options.ts'

test('an option has its path, its type in words and its default', () => {
  const input = z
    .strictObject({
      maxRows: z.int().positive().default(10_000),
      onError: z.enum(['fail', 'skip']).default('fail'),
      origin: z.union([z.literal('*'), z.array(z.string())]).optional(),
      nested: z.strictObject({ isOn: z.boolean().default(false) }).prefault({}),
      byName: z.record(z.string(), z.strictObject({ key: z.string() })).optional(),
      issuers: z.array(z.strictObject({ secret: z.string().transform(String) })).optional(),
    })
    .prefault({})
  expect(describeOptions(input, 'limits')).toEqual([
    { path: 'limits.maxRows', type: 'number', builtIn: 10_000 },
    { path: 'limits.onError', type: "'fail' or 'skip'", builtIn: 'fail' },
    { path: 'limits.origin', type: "'*' or list of text", builtIn: undefined },
    { path: 'limits.nested', type: 'object', builtIn: undefined },
    { path: 'limits.nested.isOn', type: 'true or false', builtIn: false },
    { path: 'limits.byName', type: 'object by name', builtIn: undefined },
    { path: 'limits.byName.<name>.key', type: 'text', builtIn: undefined },
    { path: 'limits.issuers', type: 'list of object', builtIn: undefined },
    { path: 'limits.issuers[].secret', type: 'text', builtIn: undefined },
  ])
})

test('an option of several forms of an object is united', () => {
  const input = z.union([
    z.strictObject({ tables: z.string() }),
    z.strictObject({ tables: z.number(), other: z.boolean() }),
  ])
  expect(describeOptions(input, '')).toEqual([
    { path: 'tables', type: 'text or number', builtIn: undefined },
    { path: 'other', type: 'true or false', builtIn: undefined },
  ])
})
