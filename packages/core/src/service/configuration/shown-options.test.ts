import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineAction } from '../../config/options/action.ts'
import type { Config } from '../../config/options/config.ts'
import { shownActions, shownOptions } from './shown-options.ts'

const code: Config = {
  connections: {},
  limits: { maxRows: 500, rateLimitStore: 'redis://user:hidden@cache:6379' },
  schemaEndpoint: { enabled: true, token: 'hidden' },
  actions: {
    restock: defineAction({ roles: ['manager'], input: z.object({}), run: () => ({}) }),
    report: defineAction({ roles: ['*'], input: z.object({}), run: () => ({}) }),
  },
}
const byPath = (stored?: object) =>
  new Map(shownOptions(code, stored).map((option) => [option.path, option]))

test('an option of code has its value and its default, without secrets', () => {
  const options = byPath()
  expect(options.get('limits.maxRows')).toEqual({
    path: 'limits.maxRows',
    value: 500,
    source: 'code',
    code: 500,
    builtIn: 10_000,
    isFixed: false,
  })
  expect(options.get('limits.maxQueued')).toMatchObject({ value: 500, source: 'built-in' })
  expect(options.get('schemaEndpoint.token')).toMatchObject({ value: '***', code: '***' })
  expect(JSON.stringify([...options])).not.toContain('hidden')
})

test('what is stored is in force, and the code only says what it says', () => {
  const options = byPath({ limits: { maxRows: 7 }, schemaEndpoint: true })
  expect(options.get('limits.maxRows')).toMatchObject({ value: 7, source: 'stored', code: 500 })
  expect(options.get('limits.rateLimitStore')).toMatchObject({ source: 'code', isFixed: true })
  expect(options.get('schemaEndpoint.enabled')).toMatchObject({ value: true, source: 'stored' })
  expect(options.get('schemaEndpoint.token')).toMatchObject({
    value: null,
    source: 'built-in',
    code: '***',
  })
})

test('actions are those of the code, switched by the document', () => {
  const stored = { actions: { restock: { enabled: false }, report: { roles: ['auditor'] } } }
  expect(shownActions(code, stored)).toEqual([
    {
      name: 'restock',
      description: null,
      isEnabled: false,
      roles: ['manager'],
      source: 'stored',
      codeRoles: ['manager'],
    },
    {
      name: 'report',
      description: null,
      isEnabled: true,
      roles: ['auditor'],
      source: 'stored',
      codeRoles: ['*'],
    },
  ])
  expect(shownActions(code, undefined)[0]).toMatchObject({ isEnabled: true, source: 'code' })
})
