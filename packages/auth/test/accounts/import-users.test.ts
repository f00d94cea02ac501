import { eachStore } from '@engine/test-stores'
import { hash as argon2Hash } from '@node-rs/argon2'
import { expect, test } from 'vitest'
import { type ImportLine, importUsers } from '../../src/index.ts'
import { client, openAuth } from '../support/open-auth.ts'

const bcrypt = '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'

async function* linesOf(records: readonly unknown[]): AsyncGenerator<ImportLine> {
  for (const [i, record] of records.entries()) yield { line: i + 1, record }
}

eachStore('users of another system', (openStore) => {
  test('sign in with what they had, and get a better hash', async () => {
    const stores = await openStore()
    const auth = await openAuth(stores.store)
    const argon2i = await argon2Hash('gamma rays', { algorithm: 1, memoryCost: 4_096, timeCost: 3 })
    const refused: { line: number; message: string }[] = []
    const run = (records: readonly unknown[], update: boolean) =>
      importUsers(linesOf(records), {
        store: stores.store,
        settings: {
          signUp: { enabled: true, concealExisting: false, allowUtf8Email: false },
          userTable: undefined,
        },
        update,
        clock: auth.now,
        onRefused: (line) => refused.push(line),
      })
    const records = [
      { email: 'Ada@example.com', passwordHash: bcrypt, name: 'Ada', emailVerified: true },
      { email: 'no address', passwordHash: bcrypt },
      { email: 'bob@example.com', passwordHash: argon2i, roles: ['editor'], id: '17' },
      { email: 'eve@example.com', passwordHash: 'plain text' },
      { email: 'none@example.com', passwordHash: null, createdAt: '2020-01-01T00:00:00Z' },
      { email: 'ada@EXAMPLE.com', passwordHash: bcrypt },
      { email: 'carol@example.com', passwordHash: bcrypt, id: '17' },
    ]
    const counts = await run(records, false)
    expect(counts).toEqual({ created: 3, updated: 0, skipped: 1, refused: 3 })
    expect(refused).toEqual([
      { line: 2, message: 'email must be an e-mail address.' },
      { line: 4, message: expect.stringMatching(/^passwordHash must be/) },
      { line: 7, message: 'id is that of an account with another address.' },
    ])

    const ada = await auth.signIn({ email: 'ada@example.com', password: 'U*U' }, client)
    expect(ada.user).toMatchObject({ name: 'Ada', emailVerified: true })
    const bob = await auth.signIn({ email: 'bob@example.com', password: 'gamma rays' }, client)
    expect(bob.user.id).toBe('17')
    const { caller } = await auth.authenticate(bob.session.token, client)
    expect(caller.roles).toEqual(['editor'])
    const none = auth.signIn({ email: 'none@example.com', password: 'U*U' }, client)
    await expect(none).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' })
    const hashes = await stores.store.database
      .selectFrom('engine_users')
      .select('password_hash')
      .where('password_hash', 'is not', null)
      .execute()
    expect(hashes).toHaveLength(2)
    for (const { password_hash } of hashes) expect(password_hash).toMatch(/^\$argon2id\$.*m=19456/)
    await expect(
      auth.signIn({ email: 'ada@example.com', password: 'U*U' }, client),
    ).resolves.toBeDefined()

    expect(await run(records.slice(0, 1), false)).toMatchObject({ skipped: 1 })
    await expect(auth.session(ada.session.token, client)).resolves.toBeDefined()
    const renamed = { ...records[0], name: 'Ada Lovelace' }
    expect(await run([renamed], true)).toMatchObject({ updated: 1 })
    await expect(auth.session(ada.session.token, client)).rejects.toMatchObject({ status: 401 })
    const again = await auth.signIn({ email: 'ada@example.com', password: 'U*U' }, client)
    expect(again.user).toMatchObject({ id: ada.user.id, name: 'Ada Lovelace' })
    await auth.close()
    await stores.remove()
  })
})
