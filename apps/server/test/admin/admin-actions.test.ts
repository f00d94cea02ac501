/** @module `/admin/api/actions`: what actions are, and runs of them as a caller of choice. */
import { defineAction } from '@engine/core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type Accounts, masterKey, openAccounts } from '../support/accounts.ts'

const greet = defineAction({
  description: 'Says hello',
  roles: ['greeter'],
  input: z.object({ name: z.string().max(5) }),
  output: z.object({ text: z.string(), as: z.string() }),
  run: ({ user }, { name }) => ({ text: `hello ${name}`, as: String(user.id) }),
})

let accounts: Accounts
beforeAll(async () => {
  accounts = await openAccounts({}, { config: { audit: { enabled: true }, actions: { greet } } })
})
afterAll(() => accounts.close())

const run = (name: string, body: object, token: string | undefined = masterKey) =>
  accounts.call('POST', `/admin/api/actions/${name}`, {
    body,
    ...(token === '' ? {} : { token }),
  })

test('the list has the schemas and roles of each', async () => {
  const { body } = await accounts.call('GET', '/admin/api/actions', { token: masterKey })
  expect(body.actions).toMatchObject([
    {
      name: 'greet',
      roles: ['greeter'],
      description: 'Says hello',
      input: { type: 'object', properties: { name: { type: 'string', maxLength: 5 } } },
      output: { type: 'object' },
    },
  ])
})

test('a run has the rights of its caller, not those of the administrator', async () => {
  const input = { name: 'Ann' }
  expect(await run('greet', { input, as: { roles: ['greeter'], id: 'u1' } })).toMatchObject({
    status: 200,
    body: { output: { text: 'hello Ann', as: 'u1' } },
  })
  expect(await run('greet', { input, as: 'anonymous' })).toMatchObject({ status: 403 })
  expect(await run('greet', { input, as: { roles: ['other'] } })).toMatchObject({ status: 403 })
  expect(await run('greet', { input })).toMatchObject({ status: 400 })
  expect(await run('greet', { input, as: 'anonymous' }, '')).toMatchObject({ status: 401 })
})

test('input is checked, and an action must exist', async () => {
  const as = { roles: ['greeter'] }
  expect(await run('greet', { input: { name: 'too long' }, as })).toMatchObject({ status: 400 })
  expect(await run('greet', { as })).toMatchObject({ status: 400 })
  expect(await run('nothing', { as })).toMatchObject({ status: 404 })
})

test('the audit has the run, and as whom it was', async () => {
  const path = '/admin/api/audit?kind=admin&action=action-run'
  const { body } = await accounts.call('GET', path, { token: masterKey })
  expect(body.entries).toMatchObject([
    { action: 'action-run', facts: { action: 'greet', as: { kind: 'user', roles: ['greeter'] } } },
  ])
})
