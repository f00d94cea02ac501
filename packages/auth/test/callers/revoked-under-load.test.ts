import type { StoreKind } from '@engine/core/store'
import { eachStore, type TestStore } from '@engine/test-stores'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { AuthTables } from '../../src/store/auth-tables.ts'
import { client, type OpenAuth, openAuth, password } from '../support/open-auth.ts'
import { rawToken } from '../support/raw-token.ts'

const mostSessions = Number(process.env['SESSIONS'] ?? 200)
/** On libSQL the end of a session takes ten times as long. */
const sessionsOf = (kind: StoreKind) => (kind === 'libsql' ? mostSessions / 4 : mostSessions)

// Hundreds of transactions: the time limit only has to be long enough.
vi.setConfig({ testTimeout: 60_000 + mostSessions * 1_000 })

const secret = 'a secret of at least thirty-two bytes'
const clients = 16

eachStore('sessions that end while two nodes serve', (open, kind) => {
  const sessions = sessionsOf(kind)
  let stores: TestStore
  let nodes: readonly [OpenAuth, OpenAuth]
  beforeAll(async () => {
    stores = await open()
    nodes = [await openAuth(stores.store), await openAuth(await stores.openAgain())]
  })
  afterAll(async () => {
    for (const node of nodes) await node.close()
    await stores.remove()
  })

  /** A token for each of so many new sessions of one account. */
  async function startSessions(): Promise<
    readonly { readonly sid: string; readonly token: string }[]
  > {
    const [node] = nodes
    const email = 'ada@example.com'
    const { user } = await node.signUp({ email, password, name: 'Ada' }, client)
    const database = stores.store.withTables<AuthTables>()
    const account = { id: user.id, now: node.now(), end: node.now() + 3_600_000 }
    const { epoch } = await database
      .selectFrom('engine_users')
      .select('epoch')
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow()
    const sids = Array.from({ length: sessions }, (_, i) => `session-${i}`)
    for (const sid of sids) {
      const times = { created_at: account.now, last_seen_at: account.now, expires_at: account.end }
      const row = { sid, user_id: account.id, epoch, ...times, absolute_at: account.end }
      await database
        .insertInto('engine_sessions')
        .values({ ...row, ip: null, user_agent: null })
        .execute()
    }
    const exp = Math.floor(account.end / 1_000)
    return sids.map((sid) => {
      const claims = { iss: 'engine', sub: account.id, sid, exp }
      return { sid, token: rawToken({ alg: 'HS256' }, claims, { secret }) }
    })
  }

  test('sessions that end while two nodes serve are refused from the next request on', async () => {
    const all = await startSessions()
    const ended = new Set<string>()
    const faults: string[] = []
    let answers = 0
    let isOver = false

    const ask = async (node: OpenAuth, { sid, token }: (typeof all)[number]) => {
      const wasEnded = ended.has(sid)
      const isAccepted = await Promise.resolve(node.authenticate(token, client)).then(
        () => true,
        (error: unknown) => {
          if (Reflect.get(Object(error), 'status') !== 401) throw error
          return false
        },
      )
      answers += 1
      if (isAccepted && wasEnded) faults.push(`${sid} was accepted after its end`)
      if (!isAccepted && !ended.has(sid) && !ending.has(sid)) faults.push(`${sid} was refused`)
    }
    const ending = new Set<string>()
    const load = Array.from({ length: clients }, async (_, number) => {
      for (let i = number; !isOver; i = (i + 7) % sessions) {
        const [first, second] = nodes
        const session = all[i]
        if (session !== undefined) await ask(i % 2 === 0 ? first : second, session)
        await new Promise((resolve) => setImmediate(resolve))
      }
    })
    for (const [i, session] of all.entries()) {
      const [first, second] = i % 2 === 0 ? nodes : nodes.toReversed()
      ending.add(session.sid)
      await first?.signOut(session.token, client)
      ended.add(session.sid)
      for (const node of [second, first]) if (node !== undefined) await ask(node, session)
    }
    isOver = true
    await Promise.all(load)
    expect(faults).toEqual([])
    expect(answers).toBeGreaterThan(3 * sessions)
  })
})
