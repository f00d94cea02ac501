/** Processes on one service database, with a load balancer: all see the changes of each, and none is lost. */
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Balancer, startBalancer } from '../support/balancer.ts'
import { createProgram, type Program } from '../support/program.ts'
import type { ServerProcess } from '../support/server-process.ts'

interface Node {
  process: ServerProcess
  url: string
}

const account = { email: 'ada@example.com', password: 'correct horse battery staple' }
const secrets = {
  MASTER_KEY: 'hV8u2Kz0Qm4sT6xW1yB3nC5pE7rG9jLd',
  AUTH_SECRET: 'Zr4Xc6Vb8Nm0Lk2Jh1Gf3Ds5Aq7Pw9Eo',
}

describePostgres('several nodes', () => {
  let program: Program
  let balancer: Balancer | undefined
  let nodes: Node[]
  let data: pg.Client

  beforeEach(async () => {
    program = createProgram()
    nodes = []
    const [shop, service] = [await createDatabase('shop'), await createDatabase('service')]
    data = new pg.Client({ connectionString: shop })
    await data.connect()
    await data.query('create table notes (id int primary key, owner text not null)')
    const config = {
      port: 0,
      connections: { main: shop },
      service_db: service,
      masterKey: secrets.MASTER_KEY,
      auth: { secret: secrets.AUTH_SECRET },
      security: { trustProxy: ['127.0.0.1/32'] },
      permissions: {
        own: {
          table: 'main.notes',
          roles: ['user'],
          select: { where: { owner: { $eq: '$user.id' } } },
          insert: { preset: { owner: '$user.id' }, check: { owner: { $eq: '$user.id' } } },
        },
      },
    }
    program.folder.write('engine.config.json', JSON.stringify(config))
  })
  afterEach(async () => {
    balancer?.close()
    balancer = undefined
    await program.close()
    await data.end()
  })

  const startNode = async (): Promise<Node> => {
    const process = program.start([], { NODE_ENV: 'production' })
    return { process, url: await process.ready() }
  }
  const open = async (count: number): Promise<string> => {
    nodes = await Promise.all(Array.from({ length: count }, startNode))
    balancer = await startBalancer(() => nodes.map(({ url }) => url))
    return balancer.url
  }
  const send = (url: string, path: string, body: unknown, token?: string): Promise<Response> =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    })
  const tokenOf = async (response: Response): Promise<string> => {
    const { session } = (await response.json()) as { readonly session: { readonly token: string } }
    return session.token
  }
  const insert = (id: number) => ({
    sql: 'insert into main.notes (id) values ($1)',
    params: [id],
    method: 'run',
  })
  const count = { sql: 'select count(*) from main.notes', params: [], method: 'get' }

  test.each([2, 4])('%i nodes start at once, and know the sessions of each other', async (many) => {
    const url = await open(many)
    const token = await tokenOf(await send(url, '/auth/sign-up', account))
    const statuses = await Promise.all(
      Array.from({ length: many * 3 }, async (_, id) => {
        return (await send(url, '/data', insert(id), token)).status
      }),
    )
    expect(new Set(statuses)).toEqual(new Set([200]))
    for (const node of nodes) {
      const rows = await (await send(node.url, '/data', count, token)).json()
      expect(rows).toEqual({ rows: [String(many * 3)] })
    }
    expect((await send(nodes[0]?.url ?? '', '/auth/sign-out', {}, token)).status).toBe(200)
    for (const node of nodes) {
      expect((await send(node.url, '/data', count, token)).status, node.url).toBe(401)
    }
  })

  test('nodes that are replaced one after the other lose no request', {
    timeout: 120_000,
  }, async () => {
    const url = await open(2)
    const token = await tokenOf(await send(url, '/auth/sign-up', account))
    const answers = new Map<string, number>()
    let written = 0
    let isOver = false
    const work = async (): Promise<void> => {
      while (!isOver) {
        written += 1
        const response = await send(url, '/data', insert(written), token)
        const answer = `${response.status} ${response.headers.get('x-failure') ?? ''}`.trim()
        answers.set(answer, (answers.get(answer) ?? 0) + 1)
        await response.arrayBuffer()
      }
    }
    const workers = Array.from({ length: 4 }, work)
    for (const node of nodes) {
      node.process.signal('SIGTERM')
      expect(await node.process.exit()).toBe(0)
      Object.assign(node, await startNode())
    }
    isOver = true
    await Promise.all(workers)
    expect([...answers.keys()]).toEqual(['200'])
    expect(await (await send(url, '/data', count, token)).json()).toEqual({
      rows: [String(written)],
    })
  })

  test('a node that is killed takes no acknowledged write with it', async () => {
    const url = await open(2)
    const token = await tokenOf(await send(url, '/auth/sign-up', account))
    const acknowledged: number[] = []
    let id = 0
    let isOver = false
    const work = async (): Promise<void> => {
      while (!isOver) {
        id += 1
        const own = id
        if ((await send(url, '/data', insert(own), token)).status === 200) acknowledged.push(own)
      }
    }
    const workers = Array.from({ length: 4 }, work)
    const [first] = nodes
    await expect.poll(() => acknowledged.length, { timeout: 10_000 }).toBeGreaterThan(50)
    first?.process.signal('SIGKILL')
    await first?.process.exit()
    const before = acknowledged.length
    await expect.poll(() => acknowledged.length, { timeout: 10_000 }).toBeGreaterThan(before + 50)
    isOver = true
    await Promise.all(workers)
    const { rows } = await data.query<{ id: number }>('select id from notes')
    const stored = new Set(rows.map((row) => row.id))
    expect(acknowledged.filter((own) => !stored.has(own))).toEqual([])
    expect((await send(url, '/data', count, token)).status).toBe(200)
  })
})
