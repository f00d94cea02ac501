/** Nodes stop under load: by a crash, and one after the other by a graceful stop. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  createDatabase,
  describeEachMysql,
  describePostgres,
  type MysqlOfRun,
} from '@engine/test-databases/vitest'
import { createConnection } from 'mysql2/promise'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Callable, type Member, remote, signUp } from '../support/accounts.ts'
import { type Cluster, type ClusterNode, notesTable, startCluster } from './cluster.ts'

/** Runs a statement directly on the database; returns its rows. */
type Query = (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>

interface Database {
  readonly url: string
  readonly query: Query
  end(): Promise<void>
}

describePostgres('two nodes on PostgreSQL', () => endTests(openPostgres))
describeEachMysql('two nodes', (server) => endTests(() => openMysql(server)))

/** The audit writes its entries every 200 ms; on a busy machine it takes longer. */
const flushMs = 2_500

function endTests(open: () => Promise<Database>): void {
  let database: Database
  let cluster: Cluster
  let all: Callable
  let member: Member

  beforeEach(async () => {
    database = await open()
    await database.query(notesTable)
    cluster = await startCluster({
      count: 2,
      serviceDatabase: database.url,
      main: database.url,
      // Longer than the balancer takes to notice.
      config: { audit: { enabled: true }, stopDelay: 2_000 },
    })
    all = remote(cluster.balancer.url)
    member = await signUp(all)
  })
  afterEach(async () => {
    await cluster?.close()
    await database?.end()
  })

  /** @returns status, 0 when there was no answer. */
  const insert = async (node: Callable, id: string): Promise<number> => {
    const body = {
      sql: 'insert into main.notes (id, owner, note) values ($1, $2, $3)',
      params: [id, member.id, 'x'],
      method: 'run',
    }
    const headers = { 'x-request-id': id }
    try {
      return (await node.call('POST', '/data', { token: member.token, headers, body })).status
    } catch {
      // Its node has ended: the test counts the failure.
      return 0
    }
  }
  /** Inserts rows at one node, or at all in turn, with four clients, until it is stopped. */
  const load = (node: Callable) => {
    const done: { readonly id: string; readonly status: number; readonly atMs: number }[] = []
    let isOver = false
    const client = async () => {
      while (!isOver) {
        const id = randomUUID()
        const status = await insert(node, id)
        done.push({ id, status, atMs: performance.now() })
        await sleep(5)
      }
    }
    const clients = Promise.all([client(), client(), client(), client()])
    return {
      count: () => done.length,
      end: async () => {
        isOver = true
        await clients
        return done
      },
    }
  }
  const idsOf = async (sql: string) => (await database.query(sql)).map(({ id }) => String(id))

  test('a node that is killed takes no acknowledged write with it, and of the audit its last moment only', async () => {
    const [doomed] = cluster.nodes as readonly [ClusterNode]
    const running = load(remote(doomed.url))
    await expect.poll(running.count, { timeout: 20_000 }).toBeGreaterThan(20)
    await sleep(flushMs)
    const killedMs = performance.now()
    doomed.process().signal('SIGKILL')
    await doomed.process().exit()
    const done = await running.end()
    const acknowledged = done.filter(({ status }) => status === 200)
    expect(acknowledged.length).toBeGreaterThan(20)

    const stored = await idsOf('select id from notes')
    expect(new Set(stored).size).toBe(stored.length)
    expect(stored).toEqual(expect.arrayContaining(acknowledged.map(({ id }) => id)))
    const asked = new Set(done.map(({ id }) => id))
    expect(stored.filter((id) => !asked.has(id))).toEqual([])

    const audited = new Set(await idsOf('select correlation_id as id from engine_audit_entries'))
    const old = acknowledged.filter(({ atMs }) => atMs < killedMs - flushMs)
    expect(old.length).toBeGreaterThan(0)
    expect(old.filter(({ id }) => !audited.has(id))).toEqual([])
    // The other one continues with the available services.
    expect(await insert(all, randomUUID())).toBe(200)
  })

  test('when one after the other is replaced, every request is answered, and nothing is lost or done twice', {
    timeout: 90_000,
  }, async () => {
    const running = load(all)
    const answered = async () => {
      const before = running.count()
      await expect.poll(running.count, { timeout: 20_000 }).toBeGreaterThan(before + 10)
    }
    for (const node of cluster.nodes) {
      await answered()
      node.process().signal('SIGTERM')
      expect(await node.process().exit()).toBe(0)
      await node.start()
      await answered()
    }
    const done = await running.end()
    expect(done.filter(({ status }) => status !== 200)).toEqual([])
    expect(done.length).toBeGreaterThan(20)
    const ids = done.map(({ id }) => id).toSorted()
    expect((await idsOf('select id from notes')).toSorted()).toEqual(ids)
    const audited = async () => {
      const found = new Set(await idsOf('select correlation_id as id from engine_audit_entries'))
      return ids.filter((id) => !found.has(id))
    }
    await expect.poll(audited, { timeout: 10_000 }).toEqual([])
  })
}

async function openPostgres(): Promise<Database> {
  const url = await createDatabase('nodes')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return {
    url,
    query: async (sql) => (await client.query<Record<string, unknown>>(sql)).rows,
    end: () => client.end(),
  }
}

async function openMysql(server: MysqlOfRun): Promise<Database> {
  const url = await server.createDatabase('nodes')
  const connection = await createConnection(url)
  return {
    url,
    query: async (sql) => {
      const [rows] = await connection.query(sql)
      return Array.isArray(rows) ? (rows as Record<string, unknown>[]) : []
    },
    end: () => connection.end(),
  }
}
