import { type Config, defineAction, GatewayError, type Log } from '@engine/core'
import { SignJWT } from 'jose'
import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { z as z3 } from 'zod3'
import { describeDatabases, type TestDatabase } from '../support/databases.ts'
import { openGateway, type TestAnswer, type TestGateway } from '../support/gateway.ts'

const tables = `
  create table accounts (id integer primary key, owner text not null, balance integer not null, unique (owner));
`
const rows = "insert into accounts values (1, 'ann', 100), (2, 'ben', 100);"

const secret = 'a secret of the tests, long enough for HS256'
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Money between two accounts, in one transaction. */
const transfer = defineAction({
  description: 'Moves money',
  roles: ['user'],
  input: z.object({
    from: z.int(),
    to: z.int(),
    amount: z.int().positive(),
    note: z.string().default('none'),
  }),
  output: z.object({ balance: z.int(), note: z.string() }),
  run: async ({ db }, { from, to, amount, note }) => {
    expectTypeOf(note).toEqualTypeOf<string>()
    return db.transaction().execute(async (transaction) => {
      const move = (id: number, by: number) =>
        transaction
          .updateTable('main.accounts')
          .set(({ eb }) => ({ balance: eb('balance', '+', by) }))
          .where('id', '=', id)
          .execute()
      await move(from, -amount)
      await move(to, amount)
      const { balance } = await transaction
        .selectFrom('main.accounts')
        .select('balance')
        .where('id', '=', from)
        .executeTakeFirstOrThrow()
      if (balance < 0) throw new GatewayError('conflict', 'Not enough money.')
      return { balance, note }
    })
  },
})

const open = defineAction({ roles: ['*'], input: z.unknown(), run: () => undefined })

const actions: NonNullable<Config['actions']> = {
  transfer,
  nothing: open,
  whoami: defineAction({
    roles: ['*'],
    input: z.unknown(),
    run: ({ user }) => ({ roles: user.roles, fields: user.fields, tenant: user['tenant'] }),
  }),
  old: defineAction({
    roles: ['*'],
    input: z3.object({ email: z3.string().email(), age: z3.number().int().optional() }),
    run: (_context, { email }) => ({ email }),
  }),
  valibot: defineAction({
    roles: ['*'],
    input: v.objectAsync({
      items: v.array(v.object({ price: v.number() })),
      code: v.pipeAsync(
        v.string(),
        v.checkAsync(async (code) => code === 'good', 'is not good'),
      ),
    }),
    run: (_context, input) => input.items.length,
  }),
  values: defineAction({
    roles: ['*'],
    input: z.unknown(),
    run: () => ({
      when: new Date(0),
      big: 2n ** 64n,
      bytes: Buffer.from([1, 255]),
      none: undefined,
      list: [null, 'x'],
    }),
  }),
  wrongOutput: defineAction({
    roles: ['*'],
    input: z.unknown(),
    output: z.object({ id: z.int() }),
    run: () => ({ id: 'SECRET' }) as unknown as { id: number },
  }),
  map: defineAction({ roles: ['*'], input: z.unknown(), run: () => ({ all: new Map() }) }),
  broken: defineAction({
    roles: ['*'],
    input: z.unknown(),
    run: () => {
      throw new Error('SECRET in an error')
    },
  }),
  badSql: defineAction({
    roles: ['*'],
    input: z.unknown(),
    run: async ({ db }) => {
      await db.selectFrom('main.SECRET_table').selectAll().execute()
    },
  }),
  taken: defineAction({
    roles: ['*'],
    input: z.unknown(),
    run: async ({ db }) => {
      await db.insertInto('main.accounts').values({ id: 9, owner: 'ann', balance: 0 }).execute()
    },
  }),
  slow: defineAction({
    roles: ['*'],
    input: z.unknown(),
    timeout: 300,
    run: async ({ db, signal }) => {
      await db.transaction().execute(async (transaction) => {
        await transaction.updateTable('main.accounts').set({ balance: 0 }).execute()
        await sleep(1_000)
        stopped.push(signal.aborted)
        await transaction.updateTable('main.accounts').set({ balance: 1 }).execute()
      })
    },
  }),
  forgets: defineAction({
    roles: ['*'],
    input: z.unknown(),
    run: async ({ db }) => {
      const transaction = await db.startTransaction().execute()
      await transaction.updateTable('main.accounts').set({ balance: 0 }).execute()
      return 'done'
    },
  }),
}

/** Whether the signal of a slow action fired. */
const stopped: boolean[] = []

describeDatabases('actions', (openDatabase) => {
  let database: TestDatabase
  let gateway: TestGateway
  let logged: string

  const log: Log = (() => {
    const write = (facts: object, message: string) => {
      logged += `${message} ${JSON.stringify(facts, errorsToo)}\n`
    }
    return { debug: () => undefined, info: write, warn: write, error: write }
  })()

  beforeEach(async () => {
    logged = ''
    database = await openDatabase(tables)
    await database.run(rows)
    gateway = await openGateway(
      { connections: { main: database.url }, auth: { secret }, actions },
      { isDevelopment: false, log },
    )
  })
  afterEach(async () => {
    await gateway.close()
    await database.remove()
  })

  const balances = async () => {
    const found = await database.rows('select balance from accounts order by id')
    return found.map((row) => Number(Reflect.get(row, 'balance')))
  }
  const call = async (
    name: string,
    input: unknown = {},
    roles: readonly string[] | undefined = ['user'],
  ): Promise<TestAnswer> =>
    gateway.post(`/actions/${name}`, JSON.stringify(input), {
      authorization: `Bearer ${await token(roles)}`,
    })

  describe('an action that writes', () => {
    test('an action that writes answers with its output, keeps its transaction and fills in defaults', async () => {
      const { status, body } = await call('transfer', { from: 1, to: 2, amount: 30 })
      expect([status, body]).toEqual([200, { balance: 70, note: 'none' }])
      expect(await balances()).toEqual([70, 130])
    })

    test('reports what it throws on purpose, and keeps nothing', async () => {
      const { status, body } = await call('transfer', { from: 1, to: 2, amount: 101 })
      expect([status, body]).toMatchObject([
        409,
        { error: 'CONFLICT', message: 'Not enough money.' },
      ])
      expect(await balances()).toEqual([100, 100])
    })

    test('twenty at the same time move all money, none twice', async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => call('transfer', { from: 1, to: 2, amount: 10 })),
      )
      const moved = answers.filter(({ status }) => status === 200).length
      const [first = 0, second = 0] = await balances()
      expect([first, second]).toEqual([100 - moved * 10, 100 + moved * 10])
      expect(moved).toBeGreaterThan(0)
      expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true)
    })

    test('an action that takes too long is answered 408, and nothing of it is kept', async () => {
      stopped.length = 0
      const { status, body } = await call('slow')
      expect([status, body]).toMatchObject([408, { error: 'QUERY_TIMEOUT' }])
      expect(await balances()).toEqual([100, 100])
      await expect.poll(() => stopped, { timeout: 3_000 }).toEqual([true])
      expect(await balances()).toEqual([100, 100])
      expect((await call('transfer', { from: 1, to: 2, amount: 1 })).status).toBe(200)
    })

    test('an action that leaves a transaction open keeps nothing of it', async () => {
      const { status, body } = await call('forgets')
      expect([status, body]).toEqual([200, 'done'])
      expect(await balances()).toEqual([100, 100])
    })

    test('reports a taken key, but not its own mistakes', async () => {
      expect(await call('taken')).toMatchObject({ status: 409, body: { error: 'CONFLICT' } })
      for (const name of ['badSql', 'broken', 'wrongOutput', 'map']) {
        const { status, body } = await call(name)
        expect([name, status]).toEqual([name, 500])
        expect(body).toMatchObject({ error: 'INTERNAL_ERROR', message: 'Unexpected server error.' })
        expect(JSON.stringify(body)).not.toContain('SECRET')
      }
      expect(logged).toContain('SECRET in an error')
      expect(logged).toContain('the action badSql failed')
      expect(logged).toContain('does not fit its schema: id:')
    })
  })

  describe('what an action is given and gives', () => {
    test('dates, big integers and bytes are texts; without output it is ok', async () => {
      expect((await call('values')).body).toEqual({
        when: '1970-01-01T00:00:00.000Z',
        big: '18446744073709551616',
        bytes: '\\x01ff',
        list: [null, 'x'],
      })
      expect((await call('nothing')).body).toEqual({ ok: true })
    })

    test.each([
      ['transfer', { from: 1, to: 'x', amount: 0 }, ['to: ', 'amount: ']],
      ['transfer', null, ['input: ']],
      ['transfer', [], ['input: ']],
      ['old', { email: 'nobody' }, ['email: ']],
      ['valibot', { items: [{ price: 1 }, {}], code: 'good' }, ['items[1].price: ']],
      ['valibot', { items: [], code: 'bad' }, ['code: is not good']],
    ])('%s refuses %j, naming the field', async (name, input, says) => {
      const { status, body } = await call(name, input)
      expect([status, body]).toMatchObject([400, { error: 'VALIDATION_ERROR' }])
      const { message } = body as { readonly message: string }
      for (const part of says) expect(message).toContain(part)
      expect(body).not.toHaveProperty('details')
    })

    test('zod 3 and validators that take their time are understood', async () => {
      expect((await call('old', { email: 'a@b.cd' })).body).toEqual({ email: 'a@b.cd' })
      expect((await call('valibot', { items: [{ price: 1 }], code: 'good' })).body).toBe(1)
    })

    test('a body may be missing, but not malformed, too large or of another type', async () => {
      const authorization = `Bearer ${await token(['user'])}`
      const post = (body: string, headers: Readonly<Record<string, string>> = {}) =>
        gateway.post('/actions/nothing', body, { authorization, ...headers })
      expect((await post('')).body).toEqual({ ok: true })
      expect((await post('{')).status).toBe(400)
      expect((await post('{"a":1,"a":2}')).status).toBe(400)
      expect((await post('x', { 'content-type': 'text/plain' })).status).toBe(415)
      expect((await post(JSON.stringify('x'.repeat(2_000_000)))).status).toBe(413)
    })
  })

  describe('who may run an action', () => {
    test('a caller of an action needs one of its roles, or any credential for *', async () => {
      const input = { from: 1, to: 2, amount: 1 }
      const denied = await call('transfer', input, ['guest'])
      expect(denied).toMatchObject({ status: 403, body: { error: 'PERMISSION_DENIED' } })
      expect(JSON.stringify(denied.body)).not.toMatch(/transfer|guest|user/)
      expect((await call('transfer', input, ['guest', 'user'])).status).toBe(200)
      expect((await call('transfer', input, ['*'])).status).toBe(403)
      expect((await call('nothing', {}, [])).status).toBe(200)
    })

    test('who may run an action comes before the input, and a missing credential before everything', async () => {
      expect((await call('transfer', {}, ['guest'])).status).toBe(403)
      const anonymous = await gateway.post('/actions/transfer', '{}')
      expect(anonymous).toMatchObject({ status: 401, body: { error: 'UNAUTHORIZED' } })
      const unknown = await gateway.post('/actions/unknown', '{}')
      expect(unknown).toMatchObject({ status: 401, body: { error: 'UNAUTHORIZED' } })
    })

    test.each(['unknown', 'toString', '__proto__', 'constructor', 'a%2Fb', 'a'.repeat(500)])(
      'there is no action %s',
      async (name) => {
        const { status, body } = await call(name)
        expect([status, body]).toMatchObject([404, { error: 'ACTION_NOT_FOUND' }])
      },
    )

    test('only POST runs one', async () => {
      const response = await gateway.fetch(new Request('http://gateway.test/actions/nothing'))
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
    })

    test('the caller and its fields are known to the action', async () => {
      const { body } = await call('whoami')
      expect(body).toMatchObject({ roles: ['user'], fields: { sub: 'u1', tenant: 7 }, tenant: 7 })
    })
  })
})

describe('actions in open mode', () => {
  test('actions in open mode are for the role anonymous alone', async () => {
    const everyone = defineAction({ roles: ['anonymous'], input: z.unknown(), run: () => 'hello' })
    const gateway = await openGateway(
      { connections: { main: 'file::memory:' }, actions: { everyone, known: open } },
      { isDevelopment: true },
    )
    expect((await gateway.post('/actions/everyone', '')).body).toBe('hello')
    const known = await gateway.post('/actions/known', '')
    expect(known).toMatchObject({
      status: 403,
      body: {
        message: 'Role "anonymous" may not run the action "known".',
        details: { action: 'known', role: 'anonymous', roles: ['*'] },
      },
    })
    await gateway.close()
  })
})

async function token(roles: readonly string[] | undefined): Promise<string> {
  return new SignJWT({ roles, tenant: 7 })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject('u1')
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(secret))
}

function errorsToo(_key: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value
  return { message: value.message, cause: value.cause }
}
