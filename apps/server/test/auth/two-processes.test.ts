/** Two servers share a service database: each sees changes of the other at its next request. */
import { createDatabase, describeEachMysql, describePostgres } from '@engine/test-databases/vitest'
import { type MailServer, startMailServer } from '@engine/test-mail-server'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  authSecret,
  type Callable,
  newEmail,
  password,
  readNotes,
  remote,
  signIn,
  signUp,
  tokenIn,
} from '../support/accounts.ts'
import { createProgram, type Program } from '../support/program.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { bearer } from '../support/tokens.ts'

interface Node extends Callable {
  readonly process: ServerProcess
}

const newPassword = 'a brand new password'

describePostgres('two processes on PostgreSQL', () => shared(() => createDatabase('auth')))
describeEachMysql('two processes', (server) => shared(() => server.createDatabase('auth')))

function shared(createServiceDatabase: () => Promise<string>): void {
  let program: Program
  let mails: MailServer
  let serviceDatabase: string
  let a: Node
  let b: Node

  const start = async (auth: object = {}, more: object = {}): Promise<Node> => {
    const config = {
      port: 0,
      connections: { main: 'notes.db' },
      permissions: [{ name: 'notes', table: 'main.notes', roles: ['user'], select: {} }],
      service_db: serviceDatabase,
      auth: {
        secret: authSecret,
        throttle: false,
        email: { smtp: mails.url, from: 'Shop <no-reply@shop.test>' },
        urls: { reset: 'https://shop.test/reset', verify: 'https://shop.test/verify' },
        ...auth,
      },
      ...more,
    }
    const file = program.folder.write(`${newEmail()}.json`, JSON.stringify(config))
    const process = program.start(['--config', file], { NODE_ENV: 'production' })
    return { ...remote(await process.ready()), process }
  }
  const mailed = async (to: string, subject: RegExp): Promise<string> => {
    const find = () =>
      mails.mails.findLast((mail) => mail.recipients.includes(to) && subject.test(mail.subject))
    await expect.poll(find, { timeout: 20_000 }).toBeDefined()
    return tokenIn(find()?.text ?? '')
  }

  beforeAll(async () => {
    program = createProgram()
    const notes = new Database(`${program.folder.path}/notes.db`)
    notes.exec(
      "create table notes (id integer primary key, note text); insert into notes values (1, 'x')",
    )
    notes.close()
    mails = await startMailServer()
    serviceDatabase = await createServiceDatabase()
    // Both create the tables at the same time.
    const nodes = await Promise.all([start(), start()])
    a = nodes[0]
    b = nodes[1]
  })
  afterAll(async () => {
    await program?.close()
    await mails?.close()
  })

  test('an account of one signs in at the other', async () => {
    const { email, token } = await signUp(a)
    expect(await readNotes(b, token)).toMatchObject({ status: 200, body: { rows: [['x']] } })
    expect(await signIn(b, email)).toMatchObject({ status: 200 })
  })

  test('one address makes one account, at whichever node', async () => {
    const body = { email: newEmail(), password }
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        (i % 2 === 0 ? a : b).call('POST', '/auth/sign-up', { body }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(7).fill(409)])
  })

  test('a text that a database refuses is an unknown name', async () => {
    const { token } = await signUp(a)
    expect(await a.call('DELETE', '/auth/sessions/%00', { token })).toMatchObject({ status: 404 })
    const { authorization } = await bearer({ sub: 'a\0b', roles: ['user'] }, authSecret)
    const named = authorization.slice('Bearer '.length)
    expect(await readNotes(a, named)).toMatchObject({ status: 401 })
    for (const [method, path] of [
      ['GET', '/auth/session'],
      ['POST', '/auth/sign-out'],
    ] as const) {
      expect(await b.call(method, path, { token: named })).toMatchObject({ status: 401 })
    }
  })

  test('who signs out at one is out at the other', async () => {
    for (let i = 0; i < 10; i += 1) {
      const { token } = await signUp(a)
      expect(await readNotes(b, token)).toMatchObject({ status: 200 })
      expect(await a.call('POST', '/auth/sign-out', { token })).toMatchObject({ status: 200 })
      expect(await readNotes(b, token)).toMatchObject({ status: 401 })
    }
  })

  test('a reset at one ends the sessions of the other', async () => {
    const { email, token } = await signUp(a)
    const other = (await signIn(b, email)).body.session.token
    await a.call('POST', '/auth/forgot-password', { body: { email } })
    const body = { token: await mailed(email, /reset/i), password: newPassword }
    expect(await b.call('POST', '/auth/reset-password', { body })).toMatchObject({ status: 200 })
    for (const dead of [token, other]) {
      for (const node of [a, b]) expect(await readNotes(node, dead)).toMatchObject({ status: 401 })
    }
    expect(await signIn(a, email)).toMatchObject({ status: 401 })
    expect(await signIn(a, email, newPassword)).toMatchObject({ status: 200 })
  })

  test('of twenty resets with one token, ten at each, one succeeds', async () => {
    const { email } = await signUp(a)
    await a.call('POST', '/auth/forgot-password', { body: { email } })
    const token = await mailed(email, /reset/i)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        (i % 2 === 0 ? a : b).call('POST', '/auth/reset-password', {
          body: { token, password: `${newPassword} ${i}` },
        }),
      ),
    )
    const found = answers.map(({ status }) => status).toSorted()
    expect(found).toEqual([200, ...Array(19).fill(400)])
  })

  test('each mail is sent once', async () => {
    const members = await Promise.all([a, b, a, b].map((node) => signUp(node)))
    for (const { email } of members) await mailed(email, /confirm/i)
    for (const { email } of members) {
      const own = mails.mails.filter(({ recipients }) => recipients.includes(email))
      expect(own).toHaveLength(1)
    }
  })

  test('an address verified at one is verified at the other', async () => {
    const { email, token } = await signUp(a)
    const body = { token: await mailed(email, /confirm/i) }
    expect(await b.call('POST', '/auth/verify-email', { body })).toMatchObject({ status: 200 })
    expect(await a.call('GET', '/auth/session', { token })).toMatchObject({
      body: { user: { emailVerified: true } },
    })
    expect(await a.call('POST', '/auth/verify-email', { body })).toMatchObject({ status: 400 })
  })

  describe('with other options', () => {
    const stop = async (nodes: readonly Node[]) => {
      for (const { process } of nodes) process.signal('SIGTERM')
      for (const { process } of nodes) expect(await process.exit()).toBe(0)
    }

    test('failed sign-ins count at both', async () => {
      const nodes = await Promise.all([start({ throttle: {} }), start({ throttle: {} })])
      const [c, d] = nodes
      const { email } = await signUp(c)
      const found: number[] = []
      for (let i = 0; i < 12; i += 1) {
        found.push((await signIn(i % 2 === 0 ? c : d, email, 'wrong')).status)
      }
      expect(found).toEqual([...Array(10).fill(401), 429, 429])
      expect(await signIn(d, email)).toMatchObject({ status: 429 })
      await stop(nodes)
    })

    test('both sign with one key pair, made by the first of them', async () => {
      const more = { jwt: { algorithms: ['ES256'] } }
      const nodes = await Promise.all([start({}, more), start({}, more)])
      const [c, d] = nodes
      const [fromC, fromD] = [await signUp(c), await signUp(d)]
      expect(await readNotes(d, fromC.token)).toMatchObject({ status: 200 })
      expect(await readNotes(c, fromD.token)).toMatchObject({ status: 200 })
      const keys = await Promise.all(
        nodes.map(async (node) => (await node.call('GET', '/auth/.well-known/jwks.json')).body),
      )
      expect(keys[0].keys).toHaveLength(1)
      expect(keys[0]).toEqual(keys[1])
      await stop(nodes)
    })

    test('when one is killed, the other goes on with all that it had', async () => {
      const doomed = await start()
      const { email, token } = await signUp(doomed)
      doomed.process.signal('SIGKILL')
      await doomed.process.exit()
      expect(await readNotes(b, token)).toMatchObject({ status: 200 })
      expect(await signIn(b, email)).toMatchObject({ status: 200 })
    })
  })
}
