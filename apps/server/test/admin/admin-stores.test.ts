import { eachStore, type TestStore } from '@engine/test-stores'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  type Accounts,
  type CallOptions,
  masterKey,
  openAccounts,
  password,
} from '../support/accounts.ts'

eachStore('the administration', (open) => {
  let database: TestStore
  let nodes: readonly [Accounts, Accounts]

  beforeEach(async () => {
    database = await open()
    const config = { audit: { enabled: true } }
    const options = { serviceDatabase: database.url, config }
    nodes = [await openAccounts({}, options), await openAccounts({}, options)]
  })
  afterEach(async () => {
    await Promise.all(nodes.map((node) => node.close()))
    await database.remove()
  })

  const admin = (node: Accounts, method: string, path: string, options: CallOptions = {}) =>
    node.call(method, `/admin/api${path}`, { token: masterKey, ...options })
  const data = async (node: Accounts, token: string) => {
    const body = { sql: 'select * from "main"."notes"', params: [], method: 'all' }
    return (await node.call('POST', '/data', { token, body })).status
  }

  test('the administration is asked for nothing that a database cannot compare with', async () => {
    const [node] = nodes
    for (const path of ['/users?search=%00', '/sessions?userId=%00', '/audit?caller=a%00']) {
      expect(await admin(node, 'GET', path)).toMatchObject({ status: 400 })
    }
    expect(await admin(node, 'DELETE', '/sessions/%00')).toMatchObject({ status: 404 })
    const body = { disabled: true }
    expect(await admin(node, 'PATCH', '/users/%00', { body })).toMatchObject({ status: 404 })
    expect(await admin(node, 'PATCH', '/users/%F0%9F%98%80', { body })).toMatchObject({
      status: 404,
    })
  })

  test('of one node holds on the other at once, and is written down once', async () => {
    const [one, two] = nodes
    const signedUp = await one.call('POST', '/auth/sign-up', {
      body: { email: 'ada@example.com', password },
    })
    const { id } = signedUp.body.user
    const { token } = signedUp.body.session
    expect(await data(two, token)).toBe(200)

    await admin(one, 'PATCH', `/users/${id}`, { body: { roles: [] } })
    expect(await data(two, token)).toBe(403)
    await admin(two, 'PATCH', `/users/${id}`, { body: { roles: ['user'] } })
    expect(await data(one, token)).toBe(200)
    expect((await admin(one, 'DELETE', `/users/${id}/sessions`)).body.ended).toBe(1)
    expect(await data(two, token)).toBe(401)

    const made = await admin(two, 'POST', '/api-keys', { body: { name: 'a', roles: ['user'] } })
    const { key, id: keyId } = made.body.apiKey
    expect(await data(one, key)).toBe(200)
    await admin(one, 'DELETE', `/api-keys/${keyId}`)
    expect(await data(two, key)).toBe(401)

    await Promise.all(nodes.map((node) => node.gateway.audit?.flush()))
    const { body } = await admin(two, 'GET', '/audit?kind=admin')
    const actions = (body.entries as readonly { readonly action: string }[]).map(
      ({ action }) => action,
    )
    expect(actions.toSorted()).toEqual([
      'api-key-created',
      'api-key-revoked',
      'sessions-ended',
      'user-updated',
      'user-updated',
    ])
    const queries = await admin(one, 'GET', '/audit?kind=query')
    expect(queries.body.entries).toHaveLength(3)
    const denials = await admin(one, 'GET', '/audit?kind=denial&error=UNAUTHORIZED')
    expect(denials.body.entries).toHaveLength(2)
  })
})
