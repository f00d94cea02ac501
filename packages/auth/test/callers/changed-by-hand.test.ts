/** Rows of the service database that an operator changes count from the next request on, like those that Engine changes. */
import { type Log, silentLog } from '@engine/core'
import { openStore, type StoreKind } from '@engine/core/store'
import { describeEachMysql, describePostgres, type MysqlOfRun } from '@engine/test-databases/vitest'
import {
  eachStore,
  openMysqlStore,
  openPostgresStore,
  serviceDatabases,
  type TestStore,
} from '@engine/test-stores'
import { sql } from 'kysely'
import { createConnection } from 'mysql2/promise'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runByHand } from '../support/by-hand.ts'
import { client, type OpenAuth, openAuth, password } from '../support/open-auth.ts'

const unauthorized = { status: 401 }

eachStore('rows that are changed by hand', (open, kind) => {
  let stores: TestStore
  let nodes: readonly OpenAuth[]
  beforeEach(async () => {
    stores = await open()
    nodes = [await openAuth(stores.store), await openAuth(await stores.openAgain())]
  })
  afterEach(async () => {
    for (const node of nodes) await node.close()
    await stores.remove()
  })

  const byHand = (sql: string) => runByHand(kind, stores.url, sql)
  const first = (): OpenAuth => nodes[0] as OpenAuth
  const signedUp = async (email: string) => {
    const { user, session } = await first().signUp({ email, password }, client)
    return { id: user.id, token: session.token }
  }
  /** On every node, which then remembers it. */
  const callers = (token: string) =>
    Promise.all(nodes.map(async (node) => (await node.authenticate(token, client)).caller))
  const expectRefused = async (token: string) => {
    for (const node of nodes) {
      const asked = Promise.resolve(node.authenticate(token, client))
      await expect(asked).rejects.toMatchObject(unauthorized)
    }
  }

  test('an account that is deleted, disabled or renamed', async () => {
    const ada = await signedUp('ada@example.com')
    const bob = await signedUp('bob@example.com')
    const eve = await signedUp('eve@example.com')
    for (const { token } of [ada, bob, eve]) await callers(token)
    await byHand(`delete from engine_users where id = '${ada.id}'`)
    await expectRefused(ada.token)
    await callers(bob.token)
    await byHand(`update engine_users set disabled = 1 where id = '${bob.id}'`)
    await expectRefused(bob.token)
    await callers(eve.token)
    await byHand(`update engine_users set roles = '["clerk"]' where id = '${eve.id}'`)
    for (const caller of await callers(eve.token))
      expect(caller).toMatchObject({ roles: ['clerk'] })
    await byHand('delete from engine_users')
    await expectRefused(eve.token)
  })

  test('a session, an API key and a token that was signed out', async () => {
    const { token } = await signedUp('ada@example.com')
    const { key, id } = await first().admin.createApiKey({ name: 'import', roles: ['importer'] })
    for (const credential of [token, key]) await callers(credential)
    await byHand(kind === 'postgres' ? 'truncate engine_sessions' : 'delete from engine_sessions')
    await expectRefused(token)
    await callers(key)
    await byHand(`update engine_api_keys set revoked_at = 1 where id = '${id}'`)
    await expectRefused(key)
    await byHand(`update engine_api_keys set revoked_at = null where id = '${id}'`)
    await callers(key)
    await byHand('delete from engine_api_keys')
    await expectRefused(key)
  })

  test('what nobody remembers does not count', async () => {
    await signedUp('ada@example.com')
    const counts = async () => await stores.store.changeCount()
    const before = await counts()
    await byHand('update engine_sessions set last_seen_at = last_seen_at + 1')
    await byHand("update engine_users set password_hash = 'x' where id = 'nobody'")
    expect(await counts()).toBe(before)
    await byHand("update engine_users set name = 'Ada'")
    expect(await counts()).not.toBe(before)
  })

  test('another start makes no trigger twice, and those that are lost again', async () => {
    const [lost] = await triggers(stores)
    const names = await triggers(stores)
    expect(names.length).toBeGreaterThanOrEqual(10)
    const on = kind === 'postgres' ? ` on ${lost?.slice(0, lost.indexOf('_counted_'))}` : ''
    await byHand(`drop trigger ${lost}${on}`)
    const again = await openAuth(await stores.openAgain())
    await again.close()
    expect(await triggers(stores)).toEqual(names)
  })

  test('nodes and an operator who change one account at a time do not hinder each other', async () => {
    const { id, token } = await signedUp('ada@example.com')
    await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        i % 2 === 0
          ? nodes[i % 4 === 0 ? 0 : 1]?.admin.updateUser(id, { roles: [`role ${i}`] })
          : byHand(`update engine_users set name = 'name ${i}' where id = '${id}'`),
      ),
    )
    await byHand(`update engine_users set roles = '["last"]' where id = '${id}'`)
    for (const caller of await callers(token)) expect(caller).toMatchObject({ roles: ['last'] })
  })
})

/** Names of the triggers, sorted. */
async function triggers({ store }: TestStore): Promise<readonly string[]> {
  const catalogs: Readonly<Record<StoreKind, readonly [table: string, column: string]>> = {
    sqlite: ['sqlite_schema', 'name'],
    libsql: ['sqlite_schema', 'name'],
    postgres: ['pg_trigger', 'tgname'],
    mysql: ['information_schema.triggers', 'trigger_name'],
  }
  const [table, column] = catalogs[store.kind]
  const rows = await store.database
    .selectFrom(table)
    .select(`${column} as name`)
    .where(column, 'like', 'engine%counted%')
    .$if(store.kind === 'mysql', (query) => query.where('trigger_schema', '=', sql`database()`))
    .orderBy(column)
    .execute()
  return rows.map(({ name }) => String(name))
}

describePostgres('an operator with few rights on PostgreSQL', () => {
  test('deletes an account without the right to write the counter, from another schema', async () => {
    const stores = await openPostgresStore()
    const auth = await openAuth(stores.store)
    const { user, session } = await auth.signUp({ email: 'ada@example.com', password }, client)
    await auth.authenticate(session.token, client)
    const operator = `operator_${randomName()}`
    const byHand = (statement: string) => runByHand('postgres', stores.url, statement)
    await byHand(`
      create role ${operator};
      create schema elsewhere authorization ${operator};
      grant select, delete on engine_users to ${operator};
      set role ${operator};
      set search_path = elsewhere;
      delete from public.engine_users where id = '${user.id}'`)
    const asked = Promise.resolve(auth.authenticate(session.token, client))
    await expect(asked).rejects.toMatchObject(unauthorized)
    await byHand(`drop owned by ${operator}; drop role ${operator}`)
    await auth.close()
    await stores.remove()
  })
})

function randomName(): string {
  return Math.random().toString(36).slice(2, 10)
}

/** A service database that an account of its own uses, with these rights, beside an administrator. */
async function restrictedStore(server: MysqlOfRun, rights: string) {
  const stores = await openMysqlStore(server)
  const administrator = await createConnection(stores.url)
  const name = `'engine_${randomName()}'@'%'`
  const url = new URL(stores.url)
  url.username = name.slice(1, name.indexOf("'", 1))
  url.password = 'secret-Word-1'
  await administrator.query(`create user ${name} identified by '${url.password}'`)
  await administrator.query(`grant ${rights} on \`${url.pathname.slice(1)}\`.* to ${name}`)
  const warnings: string[] = []
  const log: Log = { ...silentLog, warn: (_, message) => void warnings.push(message) }
  return {
    stores,
    warnings,
    open: () => openStore({ url: url.href, serviceDatabases, log }),
    dropAccount: () => administrator.query(`drop user ${name}`),
    remove: async () => {
      await administrator.query(`drop user if exists ${name}`)
      await administrator.end()
      await stores.remove()
    },
  }
}

const ordinary = 'select, insert, update, delete, create, alter, index, drop'

describeEachMysql('an account of the database', (server) => {
  test('without the right to triggers is warned of once, and works', async () => {
    const { warnings, open, remove } = await restrictedStore(server, ordinary)
    const store = await open()
    const auth = await openAuth(store)
    const { session, user } = await auth.signUp({ email: 'ada@example.com', password }, client)
    await auth.authenticate(session.token, client)
    await (await openAuth(store)).close()
    expect(warnings).toEqual([expect.stringContaining('changed by hand')])
    await auth.admin.updateUser(user.id, { disabled: true })
    const asked = Promise.resolve(auth.authenticate(session.token, client))
    await expect(asked).rejects.toMatchObject(unauthorized)
    await auth.close()
    await store.close()
    await remove()
  })

  test('an account of the database that made the triggers and is gone is replaced by the one of the next start', async () => {
    const { stores, open, dropAccount, remove } = await restrictedStore(
      server,
      `${ordinary}, trigger`,
    )
    const store = await open()
    await (await openAuth(store)).close()
    await store.close()
    await dropAccount()
    const names = await triggers(stores)
    const auth = await openAuth(stores.store)
    expect(await triggers(stores)).toEqual(names)
    const { session, user } = await auth.signUp({ email: 'ada@example.com', password }, client)
    await auth.authenticate(session.token, client)
    await runByHand('mysql', stores.url, `delete from engine_users where id = '${user.id}'`)
    const asked = Promise.resolve(auth.authenticate(session.token, client))
    await expect(asked).rejects.toMatchObject(unauthorized)
    await auth.close()
    await remove()
  })
})
