import { expect, test, vi } from 'vitest'
import { createTransport } from './transport.ts'

type Reply = () => Response | Promise<Response>

/** A server that returns these answers one after the other, and the requests that it received. */
function server(...replies: readonly Reply[]) {
  const asked: Request[] = []
  const ask: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    asked.push(request)
    const reply = replies[Math.min(asked.length, replies.length) - 1]
    if (reply === undefined) throw new Error('nothing to answer')
    return Promise.race([
      reply(),
      new Promise<never>((_, reject) =>
        request.signal.addEventListener('abort', () => reject(request.signal.reason)),
      ),
    ])
  }
  return { asked, ask }
}

const good: Reply = () => Response.json({ rows: [] })
const never: Reply = () => new Promise(() => undefined)
const broken: Reply = () => {
  throw new TypeError('fetch failed')
}
const away: Reply = () =>
  Response.json(
    { error: 'UNAVAILABLE', message: 'Away.', correlation_id: 'c1' },
    { status: 503, headers: { 'retry-after': '0' } },
  )

const read = { method: 'POST', path: '/data', body: {}, isRepeatable: true } as const
const write = { ...read, isRepeatable: false }

test('asks with a token and JSON', async () => {
  const { asked, ask } = server(good)
  const transport = createTransport({ url: 'http://engine.test/', fetch: ask })
  expect(
    await transport({ ...read, body: { n: 1n, b: new Uint8Array([1, 255]) }, token: 't' }),
  ).toEqual({
    rows: [],
  })
  const [request] = asked
  expect(request?.url).toBe('http://engine.test/data')
  expect(request?.headers.get('authorization')).toBe('Bearer t')
  expect(await request?.text()).toBe('{"n":"1","b":"\\\\x01ff"}')
})

test('a token goes nowhere else, and own headers come along', async () => {
  const { asked, ask } = server(good)
  const headers = () => ({ 'x-trace': 'abc', Authorization: 'mine' })
  await createTransport({ url: 'http://x', fetch: ask, headers })({ ...read, token: 't' })
  const [request] = asked
  expect(request).toMatchObject({ redirect: 'manual', credentials: 'omit', cache: 'no-store' })
  expect(request?.headers.get('x-trace')).toBe('abc')
  expect(request?.headers.get('authorization')).toBe('Bearer t')
})

test('who replaces the global fetch later is asked, too', async () => {
  const transport = createTransport({ url: 'http://engine.test' })
  const { asked, ask } = server(good)
  vi.stubGlobal('fetch', ask)
  try {
    expect(await transport(read)).toEqual({ rows: [] })
  } finally {
    vi.unstubAllGlobals()
  }
  expect(asked).toHaveLength(1)
})

test('what a page that a test made up lacks is not looked for', async () => {
  vi.stubGlobal('Request', undefined)
  vi.resetModules()
  try {
    const { createTransport: create } = await import('./transport.ts')
    const transport = create({ url: 'http://x', fetch: async () => Response.json({ rows: [] }) })
    expect(await transport(read)).toEqual({ rows: [] })
  } finally {
    vi.unstubAllGlobals()
  }
})

test('a refusal is an error with its code, status and id', async () => {
  const { ask } = server(() =>
    Response.json(
      { error: 'RATE_LIMITED', message: 'Slow down.', correlation_id: 'c2', details: { a: 1 } },
      { status: 429, headers: { 'retry-after': '60' } },
    ),
  )
  await expect(createTransport({ url: 'http://x', fetch: ask })(read)).rejects.toMatchObject({
    name: 'EngineError',
    message: 'Slow down.',
    status: 429,
    code: 'RATE_LIMITED',
    correlationId: 'c2',
    details: { a: 1 },
    retryAfterMs: 60_000,
  })
})

test.each<[string, Reply, object]>([
  [
    'a redirection',
    () => Response.redirect('http://y', 307),
    { status: 307, code: 'INVALID_ANSWER' },
  ],
  ['a web page', () => new Response('<html>'), { status: 200, code: 'INVALID_ANSWER' }],
  [
    'a proxy',
    () => new Response('Bad gateway', { status: 500 }),
    { status: 500, code: 'INVALID_ANSWER' },
  ],
  ['nothing', broken, { status: 0, code: 'NETWORK_ERROR' }],
  ['silence', never, { status: 0, code: 'TIMEOUT' }],
])('%s is an error', async (_, reply, facts) => {
  const { ask } = server(reply)
  const transport = createTransport({ url: 'http://x', fetch: ask, retries: 0, timeoutMs: 20 })
  await expect(transport(read)).rejects.toMatchObject({ name: 'EngineError', ...facts })
})

test('a read is sent again while the engine is unavailable', async () => {
  const { asked, ask } = server(away, broken, good)
  const transport = createTransport({ url: 'http://x', fetch: ask })
  expect(await transport(read)).toEqual({ rows: [] })
  expect(asked).toHaveLength(3)
})

test('after the last attempt the error is thrown', async () => {
  const { asked, ask } = server(away)
  const transport = createTransport({ url: 'http://x', fetch: ask, retries: 1 })
  await expect(transport(read)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  expect(asked).toHaveLength(2)
})

test('a write is sent once, whatever happens', async () => {
  for (const reply of [away, broken]) {
    const { asked, ask } = server(reply)
    await expect(createTransport({ url: 'http://x', fetch: ask })(write)).rejects.toThrow()
    expect(asked).toHaveLength(1)
  }
})

test('what will not pass is not tried again', async () => {
  const refused = () => Response.json({ error: 'PERMISSION_DENIED', message: '' }, { status: 403 })
  const { asked, ask } = server(refused)
  await expect(createTransport({ url: 'http://x', fetch: ask })(read)).rejects.toThrow()
  expect(asked).toHaveLength(1)
})

test('an aborted signal ends an attempt and a pause, with its own reason', async () => {
  for (const reply of [never, broken]) {
    const { asked, ask } = server(reply)
    const transport = createTransport({ url: 'http://x', fetch: ask })
    const stop = new AbortController()
    const answer = transport({ ...read, signal: stop.signal })
    await expect.poll(() => asked.length).toBe(1)
    stop.abort(new Error('enough'))
    await expect(answer).rejects.toThrow('enough')
  }
})

test.each([
  ['a token with a line break', { token: 'secret\n' }],
  ['no token', { token: '' }],
  ['a body in a circle', { body: circle() }],
])('%s is a mistake of the program, sent nowhere', async (_, mistake) => {
  const { asked, ask } = server(good)
  const sending = createTransport({ url: 'http://x', fetch: ask })({ ...read, ...mistake })
  const error: unknown = await sending.catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(TypeError)
  expect(String(error)).not.toContain('secret')
  expect(asked).toEqual([])
})

function circle(): object {
  const body: { self?: object } = {}
  body.self = body
  return body
}
