import { expect, expectTypeOf, test } from 'vitest'
import { type Client, createClient, type TokenSource } from './client.ts'

interface Actions {
  double: { input: { n: number }; output: { n: number } }
  ping: { input: unknown; output: 'pong' }
}

/** Accepts one token and records the requests. */
function engine(good: string) {
  const asked: (readonly [string | null, string])[] = []
  const ask: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    const authorization = request.headers.get('authorization')
    asked.push([authorization, `${request.method} ${new URL(request.url).pathname}`])
    return authorization === `Bearer ${good}`
      ? Response.json({ rows: [] })
      : Response.json({ error: 'UNAUTHORIZED', message: 'No.' }, { status: 401 })
  }
  return { asked, ask }
}

const write = { sql: 'insert into main.t values (1)', params: [], method: 'run' } as const

test('a token may be a text, a function or nothing', async () => {
  const { asked, ask } = engine('t')
  const options = { url: 'http://x', fetch: ask }
  await createClient({ ...options, token: 't' }).query(write)
  await createClient({ ...options, token: async () => 't' }).query(write)
  await expect(createClient(options).query(write)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  expect(asked.map(([authorization]) => authorization)).toEqual(['Bearer t', 'Bearer t', null])
})

test('a session that has another token is asked for it once, for writes too', async () => {
  const { asked, ask } = engine('new')
  const refused: string[] = []
  const session: TokenSource = {
    token: () => (refused.length === 0 ? 'old' : 'new'),
    refused: async (token) => refused.push(token) > 0,
  }
  const client = createClient({ url: 'http://x', fetch: ask, session })
  expect(await client.query(write)).toEqual({ rows: [] })
  expect(asked).toHaveLength(2)
  expect(refused).toEqual(['old'])
})

test.each<[string, TokenSource['refused']]>([
  ['has none', () => false],
  ['says nothing', () => undefined],
  ['gives a wrong one again', () => true],
])('a session that %s ends in the refusal', async (_, refused) => {
  const { asked, ask } = engine('good')
  const session = { token: () => 'bad', ...(refused === undefined ? {} : { refused }) }
  const client = createClient({ url: 'http://x', fetch: ask, session })
  await expect(client.query(write)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  expect(asked.length).toBeLessThanOrEqual(2)
})

test('a name of an action is one part of the path', async () => {
  const { asked, ask } = engine('t')
  const client = createClient({ url: 'http://x', fetch: ask, token: 't' })
  await client.action('../data', {})
  await client.schema()
  expect(asked.map(([, line]) => line)).toEqual(['POST /actions/..%2Fdata', 'GET /schema'])
})

test('actions have the types that were generated for them', () => {
  type Typed = Client<Actions>
  expectTypeOf<Typed['action']>().toBeCallableWith('double', { n: 1 })
  // @ts-expect-error no such action
  expectTypeOf<Typed['action']>().toBeCallableWith('triple', { n: 1 })
  const call = (client: Typed) => client.action('double', { n: 1 })
  expectTypeOf(call).returns.resolves.toEqualTypeOf<{ n: number }>()
  // @ts-expect-error n is a number
  const wrong = (client: Typed) => client.action('double', { n: 'one' })
  // @ts-expect-error it takes a number
  const without = (client: Typed) => client.action('double')
  const ping = (client: Typed) => client.action('ping')
  expectTypeOf(ping).returns.resolves.toEqualTypeOf<'pong'>()
  const any = (client: Client) => client.action('whatever')
  expectTypeOf(any).returns.resolves.toEqualTypeOf<unknown>()
  // @ts-expect-error an engine without actions
  const none = (client: Client<Record<never, never>>) => client.action('ping')
  expect([call, wrong, without, ping, any, none].every((each) => typeof each === 'function')).toBe(
    true,
  )
})
