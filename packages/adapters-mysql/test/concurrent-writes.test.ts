import { type Caller, type Config, createEngine, type Engine } from '@engine/core'
import { GatewayError } from '@engine/core/adapter'
import { describeEachMysql } from '@engine/test-databases/vitest'
import { type Connection, createConnection } from 'mysql2/promise'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { connect } from '../src/index.ts'

/** A member moves rows between tenants and money between rows; no row may leave with a negative amount. */
const permissions = {
  members: {
    table: 'main.accounts',
    roles: ['member'],
    select: { where: { tenant: '$user.tenant' } },
    insert: { check: { tenant: '$user.tenant', balance: { $gte: 0 } } },
    update: {
      where: { tenant: '$user.tenant' },
      check: { balance: { $gte: 0 }, tenant: { $in: [1, 2] } },
    },
    delete: { where: { tenant: '$user.tenant' } },
  },
} satisfies Config['permissions']

const member = (tenant: number): Caller => ({
  kind: 'user',
  id: `of tenant ${tenant}`,
  roles: ['member'],
  fields: { tenant },
})

const workers = 8

describeEachMysql('writers at the same time', (server) => {
  let engine: Engine
  let connection: Connection

  beforeAll(async () => {
    const url = await server.createDatabase('concurrent_writes')
    connection = await createConnection({ uri: url, multipleStatements: true })
    await connection.query(`
      create table accounts (id int primary key, tenant int not null, balance int not null, code varchar(20) unique)`)
    engine = await createEngine(
      { connections: { main: { url } }, auth: { secret: 'x'.repeat(32) }, permissions },
      { adapters: { '@engine/adapters-mysql': connect } },
    )
  })
  afterAll(async () => {
    await engine?.close()
    await connection?.end()
  })
  beforeEach(async () => {
    await connection.query(`delete from accounts;
      insert into accounts (id, tenant, balance) values (1, 1, 20), (2, 1, 20), (3, 2, 20), (4, 2, 20)`)
  })

  /** The SQLSTATE of a refusal, or the number of rows. */
  async function write(sql: string, params: readonly unknown[], tenant = 1): Promise<unknown> {
    const request = { sql, params, method: 'all', meta: false, signal: undefined } as const
    try {
      return (await engine.query(request, member(tenant))).rowCount
    } catch (error) {
      if (!(error instanceof GatewayError) || error.status >= 500) throw error
      return error.sqlState
    }
  }

  async function inParallel(each: (worker: number) => Promise<unknown>): Promise<unknown[]> {
    const answers = await Promise.all(
      Array.from({ length: workers }, async (_, worker) => {
        const own: unknown[] = []
        for (let round = 0; round < 25; round += 1) own.push(await each(worker))
        return own
      }),
    )
    return answers.flat()
  }

  async function stored(sql: string): Promise<unknown> {
    const [rows] = await connection.query({ sql, rowsAsArray: true })
    return rows
  }

  test('nobody takes more than there is', async () => {
    const answers = await inParallel((worker) =>
      write('update main.accounts set balance = balance - 1 where id = $1', [1 + (worker % 2)]),
    )
    expect(answers.filter((answer) => answer === 1)).toHaveLength(40)
    expect(answers.filter((answer) => answer === '44000')).toHaveLength(160)
    expect(await stored('select id, balance from accounts order by id')).toEqual([
      [1, 0],
      [2, 0],
      [3, 20],
      [4, 20],
    ])
  })

  test('a row that was just given away is not written any more', async () => {
    const answers = await inParallel((worker) => {
      const tenant = 1 + (worker % 2)
      return worker < 4
        ? write('update main.accounts set tenant = 3 - tenant where balance / 1 >= 0', [], tenant)
        : write(
            'update main.accounts set balance = balance + (case tenant when $1 then 1 else 1000000 end)',
            [tenant],
            tenant,
          )
    })
    expect(answers.every((answer) => typeof answer === 'number' || answer === '40P01')).toBe(true)
    expect(await stored('select count(*) from accounts where balance >= 1000000')).toEqual([[0]])
  })

  test('rows with the same key are stored once and counted every time', async () => {
    const sql = `insert into main.accounts (id, tenant, balance, code) values ($1, 1, 1, 'shared')
      on conflict (code) do update set balance = accounts.balance + 1`
    const answers = await inParallel((worker) => write(sql, [100 + worker]))
    expect(answers).toEqual(answers.map(() => 1))
    expect(await stored("select balance from accounts where code = 'shared'")).toEqual([
      [workers * 25],
    ])
  })

  test('of rows that conflict one is stored', async () => {
    let next = 1000
    const sql = `insert into main.accounts (id, tenant, balance, code) values ($1, 1, 1, $2)
      on conflict do nothing`
    const answers = await inParallel(() => {
      next += 1
      return write(sql, [next, `code ${Math.floor(next / 4)}`])
    })
    const sum = answers.reduce((total: number, answer) => total + Number(answer), 0)
    expect(
      await stored('select count(*), count(distinct code) from accounts where id >= 1000'),
    ).toEqual([[sum, sum]])
  })

  test('what is deleted is the caller’s at that moment', async () => {
    const answers = await inParallel((worker) =>
      worker < 4
        ? write('update main.accounts set tenant = 3 - tenant', [], 1 + (worker % 2))
        : write('delete from main.accounts where tenant = $1 and id < 0 returning id', [1], 1),
    )
    expect(answers.every((answer) => typeof answer === 'number' || answer === '40P01')).toBe(true)
    expect(await stored('select count(*) from accounts')).toEqual([[4]])
  })
})
