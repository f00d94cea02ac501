/** A server is configured in another way again and again, while clients of both protocols send statements. ENGINE_TEST_CHANGES=1000: longer. */
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { silentLog } from '@engine/core'
import { describePostgres } from '@engine/test-databases/vitest'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningServer, serve } from '../../src/serve.ts'
import { openPostgres, type TestDatabase } from '../support/databases.ts'
import { connectWire, rowsOf, type WireClient } from '../support/wire.ts'
import {
  configurationOf,
  configurationOfRows,
  join,
  setUp,
  starred,
  type Which,
} from './two-configurations.ts'

const clients = 32
const changes = Number(process.env['ENGINE_TEST_CHANGES'] ?? 200)

let database: TestDatabase
let server: RunningServer

const configuration = (which: Which) => configurationOf(which, database.url)

async function post(path: string, body: unknown): Promise<{ header: string; body: Answer }> {
  const response = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${response.status} ${text}`)
  return { header: response.headers.get('x-configuration') ?? '', body: JSON.parse(text) }
}

interface Answer {
  readonly rows: readonly (readonly unknown[])[]
  readonly columns: readonly { readonly name: string }[]
  readonly results: readonly Answer[]
  readonly which: Which
}

/** @throws unless all parts of an answer are under the same configuration. */
function same(...parts: readonly string[]): string {
  const [first = '', ...others] = new Set(parts)
  if (others.length > 0) throw new Error(`a mixture: ${parts.join()}`)
  return first
}

const statement = (sql: string) => ({ sql, params: [], method: 'values', meta: true })

/** Requests of HTTP: each returns the configuration that its answer is under. */
const requests: readonly (() => Promise<string>)[] = [
  async () => {
    const { header, body } = await post('/data', statement(join))
    return same(header, configurationOfRows(body.rows))
  },
  async () => {
    const { header, body } = await post('/data', statement(starred))
    const names = body.columns.map(({ name }) => name).join()
    return same(
      header,
      ...(names === `n,tag,only_${header}` ? [] : [names]),
      String(body.rows[0]?.[1]),
    )
  },
  async () => {
    const { header, body } = await post('/data/batch', {
      statements: [statement(join), statement(join)],
    })
    return same(header, ...body.results.map(({ rows }) => configurationOfRows(rows)))
  },
  async () => {
    const { header, body } = await post('/actions/which', {})
    return same(header, body.which)
  },
]

/** Work of one session of the wire protocol: each returns the configuration of all its statements. */
const works: Readonly<Record<string, (client: pg.Client) => Promise<string>>> = {
  plain: async (client) => configurationOfRows(await rowsOf(client, join)),
  prepared: async (client) => {
    const query = { name: 'pairs', text: join, values: [], rowMode: 'array' }
    return configurationOfRows((await client.query<unknown[]>(query)).rows)
  },
  transaction: async (client) => {
    await client.query('begin')
    try {
      const first = configurationOfRows(await rowsOf(client, join))
      await client.query('insert into written default values')
      const query = { name: 'pairs', text: join, values: [], rowMode: 'array' }
      const second = configurationOfRows((await client.query<unknown[]>(query)).rows)
      const written = await rowsOf(client, 'select tag from written order by id desc limit 1')
      return same(first, second, String(written[0]?.[0]))
    } finally {
      await client.query('rollback')
    }
  },
  cursor: async (client) => {
    await client.query('begin')
    try {
      await client.query(`declare pairs cursor for ${join}`)
      const rows: unknown[][] = []
      for (let i = 0; i < 4; i += 1) rows.push(...(await rowsOf(client, 'fetch 3 from pairs')))
      const tags = rows.map(String)
      return same(...tags.map((tag) => (tag === 'a,a' ? 'a' : tag === 'b,b' ? 'b' : tag)))
    } finally {
      await client.query('commit')
    }
  },
}

describePostgres('a configuration that is replaced under load', () => {
  beforeAll(async () => {
    database = await openPostgres(setUp)
    server = await serve({
      config: configuration('a'),
      port: 0,
      host: '127.0.0.1',
      isDevelopment: false,
      log: silentLog,
    })
  })
  afterAll(async () => {
    await server.stop(0)
    await database.remove()
  })

  test('no answer is a mixture of two, none fails, and what begins later is under the new one', async () => {
    const isOver = new AbortController()
    const failures: unknown[] = []
    const counts = { a: 0, b: 0 }
    const repeat = async (work: () => Promise<string>) => {
      while (!isOver.signal.aborted) {
        try {
          counts[(await work()) as Which] += 1
        } catch (error) {
          failures.push(error)
          isOver.abort()
        }
      }
    }
    const sessions: WireClient[] = []
    const address = server.pgWireAddress ?? ''
    const kinds = [
      'plain',
      'plain',
      'prepared',
      'prepared',
      'prepared',
      'transaction',
      'cursor',
      'cursor',
    ]
    for (const _ of kinds) sessions.push(await connectWire({ address }))
    const own = await connectWire({ address })
    const running = [
      ...Array.from({ length: clients }, (_, i) => {
        let turn = i
        return repeat(() => {
          turn += 1
          return (requests[turn % requests.length] as () => Promise<string>)()
        })
      }),
      ...sessions.map((client, i) =>
        repeat(() => (works[kinds[i] ?? ''] as (typeof works)[string])(client)),
      ),
    ]
    const heap: number[] = []
    for (let i = 1; i <= changes && !isOver.signal.aborted; i += 1) {
      const which = i % 20 < 10 === (i % 2 === 0) ? 'a' : 'b'
      await server.reconfigure(configuration(which))
      // Requests that have arrived are begun.
      await setImmediate()
      if (i % 10 === 0) {
        const turn = requests[(i / 10) % requests.length] as () => Promise<string>
        expect(await turn()).toBe(which)
        for (const kind of ['plain', 'prepared']) {
          expect(await (works[kind] as (typeof works)[string])(own)).toBe(which)
        }
      }
      if (i % Math.ceil(changes / 4) === 0) heap.push(heapAfterCollection())
    }
    isOver.abort()
    await Promise.all(running)
    await Promise.all([...sessions, own].map((client) => client.end()))
    expect(failures).toEqual([])
    expect(counts.a).toBeGreaterThan(0)
    expect(counts.b).toBeGreaterThan(0)
    // Growth of the last three quarters.
    expect((heap.at(-1) ?? 0) - (heap[0] ?? 0)).toBeLessThan(24 * 1_024 * 1_024)
  }, 600_000)
})

function heapAfterCollection(): number {
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
  return process.memoryUsage().heapUsed
}
