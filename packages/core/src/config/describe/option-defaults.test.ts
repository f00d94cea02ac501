import { expect, test } from 'vitest'
import { z } from 'zod'
import { limitDefaults } from '../parse/parse-limits.ts'
import { operationDefaults } from '../parse/parse-operations.ts'
import { optionDefaults } from './option-defaults.ts'

test('objects are their options, lists and maps are one, and defaults are as written', () => {
  const schema = z
    .strictObject({
      size: z.string().default('1mb'),
      names: z.array(z.string()).default(['a']),
      byName: z.record(z.string(), z.string()).default({}),
      inner: z.strictObject({ isOn: z.boolean().default(false) }).optional(),
      either: z
        .union([z.boolean(), z.strictObject({ token: z.string().optional() })])
        .default(false),
      list: z.union([z.array(z.string()), z.int()]).default([]),
    })
    .prefault({})
  expect(optionDefaults(schema, 'top')).toEqual([
    { path: 'top.size', builtIn: '1mb' },
    { path: 'top.names', builtIn: ['a'] },
    { path: 'top.byName', builtIn: {} },
    { path: 'top.inner.isOn', builtIn: false },
    { path: 'top.either.token', builtIn: undefined },
    { path: 'top.list', builtIn: [] },
  ])
})

test('defaults of limits, audit and security are in the form of a configuration file', () => {
  const all = new Map([...limitDefaults(), ...operationDefaults()].map((o) => [o.path, o.builtIn]))
  expect(all.get('limits.maxRequestBodySize')).toBe('1mb')
  expect(all.get('limits.rateLimitPerUser')).toBeUndefined()
  expect(all.get('audit.retention')).toBe('90d')
  expect(all.get('security.adminIpAllowlist')).toEqual(['127.0.0.0/8', '::1/128'])
  expect(all.get('schemaEndpoint.enabled')).toBe(false)
})
