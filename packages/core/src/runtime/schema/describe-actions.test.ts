import type { StandardSchemaV1 } from '@standard-schema/spec'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { type ActionDefinition, defineAction } from '../../config/options/action.ts'
import { type Log, silentLog } from '../../foundation/log.ts'
import { describeActions } from './describe-actions.ts'

const vague: StandardSchemaV1 = {
  '~standard': { version: 1, vendor: 'vague', validate: (value) => ({ value }) },
}
const common = { roles: ['*'], run: async () => undefined }

test('actions are sorted, and have an output where they define one', async () => {
  const actions = new Map<string, ActionDefinition>([
    ['ship', defineAction({ ...common, input: z.object({}), output: z.boolean() })],
    ['cancel', defineAction({ ...common, input: z.string() })],
  ])
  const described = await describeActions(actions, silentLog)
  expect(Object.keys(described)).toEqual(['cancel', 'ship'])
  expect(described['cancel']).toEqual({ input: expect.objectContaining({ type: 'string' }) })
  expect(described['ship']).toMatchObject({ output: { type: 'boolean' } })
})

test('what an action does stands with its input, unless that says something of its own', async () => {
  const description = 'Ships an order.'
  const actions = new Map<string, ActionDefinition>([
    ['ship', defineAction({ ...common, description, input: z.string() })],
    ['own', defineAction({ ...common, description, input: z.string().describe('An order.') })],
    ['vague', defineAction({ ...common, description, input: vague })],
  ])
  const described = await describeActions(actions, silentLog)
  expect(described['ship']?.input).toMatchObject({ type: 'string', description })
  expect(described['own']?.input).toMatchObject({ type: 'string', description: 'An order.' })
  expect(described['vague']).toEqual({ input: { description } })
})

test('what cannot be described is {}, and the log says which', async () => {
  const warnings: object[] = []
  const log: Log = { ...silentLog, warn: (facts) => warnings.push(facts) }
  const actions = new Map<string, ActionDefinition>([
    ['ship', defineAction({ ...common, input: vague, output: z.string() })],
  ])
  expect((await describeActions(actions, log))['ship']?.input).toEqual({})
  expect(warnings).toEqual([
    { path: 'actions.ship.input', reason: '"vague" offers no JSON Schema' },
  ])
})
