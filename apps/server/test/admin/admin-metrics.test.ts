/** @module `GET /admin/api/metrics`: the last hour of this node. */
import { expect, test } from 'vitest'
import { masterKey, openAccounts } from '../support/accounts.ts'

test('it needs the master key, and tells how long statements take by connection', async () => {
  const accounts = await openAccounts()
  try {
    const ask = (token?: string) =>
      accounts.call('GET', '/admin/api/metrics', token === undefined ? {} : { token })
    expect((await ask()).status).toBe(401)
    expect((await ask(masterKey)).body).toEqual({ stepSeconds: 10, points: [], connections: {} })
    const body = { sql: 'select count(*) from main.notes', params: [], method: 'all' }
    await accounts.call('POST', '/data', { body, token: masterKey })
    const { connections } = (await ask(masterKey)).body
    expect(connections).toEqual({
      main: { statements: 1, p50Ms: expect.any(Number), p95Ms: expect.any(Number) },
    })
  } finally {
    await accounts.close()
  }
})
