import { eachStore } from '@engine/test-stores'
import { expect, test } from 'vitest'
import type { AuthTables } from '../../src/store/auth-tables.ts'
import { deleteEnded } from '../../src/store/sweep.ts'
import { clientAt, openAuth, password } from '../support/open-auth.ts'

const day = 24 * 3_600_000

eachStore('what has ended', (openStore) => {
  test('what has ended is deleted, and nothing else', async () => {
    const stores = await openStore()
    const auth = await openAuth(stores.store, { auth: { throttle: {} } })
    const database = stores.store.withTables<AuthTables>()
    const counts = async () => ({
      sessions: (await database.selectFrom('engine_sessions').select('sid').execute()).length,
      tokens: (await database.selectFrom('engine_one_time_tokens').select('user_id').execute())
        .length,
      invitations: (await database.selectFrom('engine_account_invitations').select('id').execute())
        .length,
      lockouts: (await database.selectFrom('engine_lockouts').select('failures').execute()).length,
      addresses: (
        await database.selectFrom('engine_known_addresses').select('address_key').execute()
      ).length,
    })
    await auth.admin.invite({ email: 'bob@example.com', expiresIn: '1d' })
    const person = { email: 'ada@example.com', password }
    await auth.signUp(person, clientAt('192.0.2.1'))
    await auth.signIn(person, clientAt('192.0.2.1'))
    const wrong = auth.signIn({ ...person, password: 'wrong' }, clientAt('192.0.2.2'))
    await expect(wrong).rejects.toMatchObject({ status: 401 })
    const all = { sessions: 2, tokens: 2, invitations: 1, lockouts: 1, addresses: 1 }
    await deleteEnded(database, auth.now())
    expect(await counts()).toEqual(all)
    await deleteEnded(database, auth.now() + day - 1_000)
    expect(await counts()).toEqual(all)
    await deleteEnded(database, auth.now() + day)
    expect(await counts()).toEqual({ ...all, sessions: 0, tokens: 0 })
    await deleteEnded(database, auth.now() + 30 * day)
    const none = { sessions: 0, tokens: 0, invitations: 0, lockouts: 0, addresses: 0 }
    expect(await counts()).toEqual({ ...none, invitations: 1 })
    await deleteEnded(database, auth.now() + 31 * day)
    expect(await counts()).toEqual(none)
    await auth.close()
    await stores.remove()
  })
})
