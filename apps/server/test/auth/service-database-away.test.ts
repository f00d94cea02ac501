/**
 * While the service database is unavailable, a valid signature alone admits no client; afterwards requests work again.
 */
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { openAccounts, readNotes, signIn, signUp } from '../support/accounts.ts'

describePostgres('a service database that is away', () => {
  test('a service database that is away makes every route of accounts 503, and nothing 200', async () => {
    const url = await createDatabase('away')
    const name = new URL(url).pathname.slice(1)
    const operator = new pg.Client({ connectionString: inject('postgresUrl') ?? '' })
    await operator.connect()
    const accounts = await openAccounts({}, { serviceDatabase: url })
    const { email, token } = await signUp(accounts)
    expect(await readNotes(accounts, token)).toMatchObject({ status: 200 })

    await operator.query(`alter database "${name}" with allow_connections false`)
    await operator.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1',
      [name],
    )
    const answers = [
      await readNotes(accounts, token),
      await accounts.call('GET', '/auth/session', { token }),
      await accounts.call('POST', '/auth/sign-out', { token }),
      await signIn(accounts, email),
      await signIn(accounts, email, 'wrong'),
      await accounts.call('GET', '/auth/sessions', { token }),
      await accounts.call('POST', '/auth/sign-up', {
        body: { email: 'new@shop.test', password: 'a good long password' },
      }),
    ]
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 503, body: { error: 'UNAVAILABLE' } })
      expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
      expect(answer.text).not.toMatch(/postgres|engine_|database "/i)
    }

    await operator.query(`alter database "${name}" with allow_connections true`)
    await expect
      .poll(async () => (await readNotes(accounts, token)).status, { timeout: 15_000 })
      .toBe(200)
    expect(await signIn(accounts, email)).toMatchObject({ status: 200 })
    await accounts.close()
    await operator.end()
  })
})
