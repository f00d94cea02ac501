/** Short reads that share connections: a failure of one does not affect the others. */
import { type AddressInfo, connect, createServer } from 'node:net'
import {
  type Adapter,
  type CompiledStatement,
  type Execution,
  type GatewayError,
  type ResultSet,
  silentLog,
} from '@engine/core/adapter'
import { oids } from '@engine/core/catalog'
import { mysqlNumbers } from '@engine/test-databases'
import { describeEachMysql } from '@engine/test-databases/vitest'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { programOf } from '../src/driver/program.ts'
import { mysqlAdapter } from '../src/index.ts'
import { openClient, type TestClient } from './support/client.ts'
import { executionOf, statementOf } from './support/statements.ts'

describeEachMysql('Short reads that share connections', (server) => {
  let url: string
  let client: TestClient
  let adapter: Adapter

  beforeAll(async () => {
    url = await server.createDatabase('pipelines')
    client = await openClient(url)
    await client.run(
      'create table t (id int primary key, name text)',
      `insert into t select seq, concat('name ', seq) from ${mysqlNumbers(500)}`,
    )
  })
  afterAll(() => client.close())
  beforeEach(() => {
    adapter = mysqlAdapter({ url })
  })
  afterEach(() => adapter.close())

  const byId = () =>
    statementOf('select id, name from t where id = ?', {
      columns: [oids.int4, oids.text],
      parameters: [oids.int4],
    })
  /** Returns its first value after this number of seconds. */
  const nap = () =>
    statementOf('select cast(? as signed) + sleep(?)', {
      columns: [oids.int8],
      parameters: [oids.int4, oids.float8],
    })
  type Values = Parameters<typeof executionOf>[1]
  const run = (
    statement: CompiledStatement,
    values: Values,
    options: Partial<Execution> = {},
  ): Promise<ResultSet> => adapter.execute(executionOf(statement, values, options))
  const textOf = ({ rows }: ResultSet): string => Buffer.from(rows).toString()

  /** Runs `work` for each number, at most this many at a time. */
  const atATime = async (most: number, count: number, work: (i: number) => Promise<unknown>) => {
    let next = 0
    const worker = async () => {
      while (next < count) {
        next += 1
        await work(next)
      }
    }
    await Promise.all(Array.from({ length: most }, worker))
  }
  const parametersOf = ({ steps }: CompiledStatement) => steps[0]?.parameters.length
  /** Statements of a plan share connections once the plan is known to be short. */
  const warmUp = (statement: CompiledStatement, options: Partial<Execution> = {}) =>
    atATime(24, 200, (i) =>
      run(statement, [String(i), '0'].slice(0, parametersOf(statement)), options),
    )
  const sleeping = async () => {
    const [row] = await client.rows(
      `select count(*) as naps from information_schema.processlist
       where db = database() and info like '%sleep(%' and id <> connection_id()`,
    )
    return Number(row?.['naps'])
  }

  test('get the answers to their own questions', async () => {
    const statement = byId()
    await atATime(48, 3_000, async (i) => {
      const id = (i * 7) % 600
      const result = await run(statement, [String(id)])
      const isThere = id > 0 && id <= 500
      expect(textOf(result)).toBe(isThere ? `[${id},"name ${id}"]` : '')
      expect(result.rowCount).toBe(isThere ? 1 : 0)
    })
  })

  test('leave in one write when they take hardly any time', async () => {
    const statement = statementOf('select connection_id()', { columns: [oids.int8] })
    const ofOneTurn = async (count: number) => {
      const answers = await Promise.all(Array.from({ length: count }, () => run(statement, [])))
      return new Set(answers.map(textOf)).size
    }
    await expect
      .poll(
        async () => {
          programOf(statement).latency?.record(0.1)
          const shared = adapter.poolState?.().busy
          return { shared, used: await ofOneTurn(12) }
        },
        { timeout: 20_000, interval: 10 },
      )
      // The first four have connections of their own.
      .toEqual({ shared: 4, used: 5 })
    await vi.waitFor(() => expect(adapter.poolState?.().busy).toBe(0), { timeout: 10_000 })
  })

  test('of many kinds share connections while statements are prepared', async () => {
    const statements = Array.from({ length: 30 }, (_, i) =>
      statementOf(`select id + ${i} from t where id = ?`, {
        columns: [oids.int8],
        parameters: [oids.int4],
      }),
    )
    await atATime(32, 6_000, async (i) => {
      const kind = (i * 13) % statements.length
      const id = (i % 500) + 1
      const statement = statements[kind]
      if (statement !== undefined)
        expect(textOf(await run(statement, [String(id)]))).toBe(`["${id + kind}"]`)
    })
  })

  test('fail by themselves', async () => {
    const statement = statementOf('select exp(710 * cast(? as signed))', {
      columns: [oids.float8],
      parameters: [oids.int4],
    })
    await atATime(32, 1_000, async (i) => {
      const factor = i % 5 === 0 ? 1 : 0
      const answer = run(statement, [String(factor)])
      if (factor === 1) await expect(answer).rejects.toMatchObject({ sqlState: '22003' })
      else expect(textOf(await answer)).toBe('[1]')
    })
  })

  test('with a warning are refused as elsewhere', async () => {
    const statement = statementOf('select cast(? as date)', {
      columns: [oids.date],
      parameters: [oids.text],
    })
    await atATime(32, 1_000, async (i) => {
      const isDate = i % 5 !== 0
      const answer = run(statement, [isDate ? '2024-05-06' : 'soon'])
      if (isDate) expect(textOf(await answer)).toBe('["2024-05-06"]')
      else await expect(answer).rejects.toMatchObject({ sqlState: '22P02' })
    })
  })

  test('do not wait for one that is slow with its values', async () => {
    const statement = nap()
    await warmUp(statement)
    const controller = new AbortController()
    let isAnswered = false
    const slow = run(statement, ['-1', '60'], { signal: controller.signal }).finally(() => {
      isAnswered = true
    })
    const told = expect(slow).rejects.toMatchObject({ sqlState: '57014' })
    await atATime(32, 500, async (i) => {
      expect(textOf(await run(statement, [String(i), '0']))).toBe(`["${i}"]`)
    })
    expect(isAnswered).toBe(false)
    controller.abort()
    await told
  })

  test('with a large answer get it whole, and the others theirs', async () => {
    const statement = statementOf(
      `select seq, repeat('x', 1000) from ${mysqlNumbers(3000)} where seq <= ?`,
      {
        columns: [oids.int4, oids.text],
        parameters: [oids.int4],
      },
    )
    await warmUp(statement)
    await atATime(32, 400, async (i) => {
      const count = i % 40 === 0 ? 3_000 : i % 7
      const result = await run(statement, [String(count)])
      expect(result.rowCount).toBe(count)
      const numbers = Array.from({ length: count }, (_, n) => n + 1)
      const rows = JSON.parse(`[${textOf(result)}]`) as number[][]
      expect(rows.map(([n]) => n)).toEqual(numbers)
    })
  })

  test('that take too long are stopped, and nothing else is', async () => {
    const statement = nap()
    const timeoutMs = 1_000
    await warmUp(statement, { timeoutMs })
    const slow = Array.from({ length: 3 }, () => run(statement, ['-1', '60'], { timeoutMs }))
    const told = slow.map((each) =>
      expect(each).rejects.toMatchObject({ problem: 'queryTimeout', status: 408 }),
    )
    await atATime(32, 500, async (i) => {
      expect(textOf(await run(statement, [String(i), '0'], { timeoutMs }))).toBe(`["${i}"]`)
    })
    await Promise.all(told)
  })

  test('whose callers no longer wait are stopped on the server, and nothing else is', async () => {
    const statement = nap()
    await warmUp(statement)
    const controller = new AbortController()
    const { signal } = controller
    const slow = Array.from({ length: 6 }, () => run(statement, ['-1', '60'], { signal }))
    const told = slow.map((each) => expect(each).rejects.toMatchObject({ sqlState: '57014' }))
    const others = atATime(32, 1_000, async (i) => {
      if (i === 200) controller.abort()
      expect(textOf(await run(statement, [String(i), '0']))).toBe(`["${i}"]`)
    })
    await Promise.all([...told, others])
    await vi.waitFor(async () => expect(await sleeping()).toBe(0), { timeout: 20_000 })
  })

  test('that are abandoned while they are under way leave the others alone', async () => {
    const statement = byId()
    await atATime(32, 1_000, async (i) => {
      const controller = new AbortController()
      const id = (i % 500) + 1
      const answer = run(statement, [String(id)], { signal: controller.signal })
      if (i % 3 === 0) controller.abort()
      const outcome = await answer.then(textOf, (error: GatewayError) => error.sqlState)
      const row = `[${id},"name ${id}"]`
      expect(i % 3 === 0 ? [row, '57014'] : [row]).toContain(outcome)
    })
  })

  test('are run again when their connection breaks', async () => {
    const statement = byId()
    await atATime(32, 1_500, async (i) => {
      if (i === 700) {
        const rows = await client.rows(
          `select id from information_schema.processlist
           where db = database() and id <> connection_id()`,
        )
        for (const { id } of rows) await client.run(`kill ${id}`).catch(() => undefined)
      }
      const id = (i % 500) + 1
      expect(textOf(await run(statement, [String(id)]))).toContain(`[${id},`)
    })
  })

  test('see a table that changes meanwhile as it is', async () => {
    await client.run(
      'create table changing (id int primary key, flag bool)',
      `insert into changing select seq, true from ${mysqlNumbers(50)}`,
    )
    const statement = statementOf('select * from changing where id = ?', {
      columns: [oids.int4, oids.bool],
      parameters: [oids.int4],
    })
    await atATime(24, 1_500, async (i) => {
      if (i === 500) await client.run('alter table changing modify flag tinyint(1) not null')
      const id = (i % 50) + 1
      expect(textOf(await run(statement, [String(id)]))).toBe(`[${id},true]`)
    })
  })

  test('are answered before the adapter is closed; those without a connection are refused', async () => {
    const statement = byId()
    await atATime(24, 200, (i) => run(statement, [String(i)]))
    const answers = Promise.allSettled(
      Array.from({ length: 24 }, (_, i) => run(statement, [String(i + 1)])),
    )
    await adapter.close()
    for (const [i, answer] of (await answers).entries()) {
      if (answer.status === 'fulfilled')
        expect(textOf(answer.value)).toBe(`[${i + 1},"name ${i + 1}"]`)
      else expect(['unavailable', 'cancelled']).toContain((answer.reason as GatewayError).problem)
    }
  })
})

describeEachMysql('A proxy that takes one statement at a time', (server) => {
  test('gets one at a time, and every statement is answered', async () => {
    const url = new URL(await server.createDatabase('one_at_a_time'))
    const proxy = await openProxy(Number(url.port))
    url.port = String(proxy.port)
    const warnings: string[] = []
    const log = { ...silentLog, warn: (_: object, text: string) => void warnings.push(text) }
    const adapter = mysqlAdapter({ url: url.href, log })
    try {
      const statement = statementOf('select cast(? as signed)', {
        columns: [oids.int4],
        parameters: [oids.int4],
      })
      const ask = async (i: number) => {
        const { rows } = await adapter.execute(executionOf(statement, [String(i)]))
        expect(Buffer.from(rows).toString()).toBe(`[${i}]`)
      }
      await expect
        .poll(
          async () => {
            await Promise.all(Array.from({ length: 24 }, (_, i) => ask(i)))
            return warnings
          },
          { timeout: 25_000, interval: 50 },
        )
        .toEqual([expect.stringContaining('one statement at a time')])
      expect(proxy.dropped()).toBeGreaterThan(0)
      const before = proxy.dropped()
      await Promise.all(Array.from({ length: 200 }, (_, i) => ask(i)))
      expect(proxy.dropped()).toBe(before)
    } finally {
      await adapter.close()
      proxy.close()
    }
  })
})

/** A proxy that passes on the first command of what it reads, and drops those that came with it. */
async function openProxy(target: number) {
  let dropped = 0
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1')
    const end = () => {
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) socket.on('error', end).on('close', end)
    client.on('data', (data) => {
      const length = 4 + data.readUIntLE(0, 3)
      if (data.length > length) dropped += 1
      upstream.write(data.subarray(0, length))
    })
    upstream.on('data', (data) => client.write(data))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { port, dropped: () => dropped, close: () => server.close() }
}
