/** Many requests at a time: every answer belongs to its request. */
import { silentLog } from '@engine/core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningServer, serve } from '../../src/serve.ts'
import { describeDatabases, type TestDatabase } from '../support/databases.ts'
import { bearer, secret } from '../support/tokens.ts'

const tenants = 8
const setUp = `
create table items (id integer primary key, tenant_id integer not null, name text not null, price numeric(8,2));
create table entries (id integer primary key, tenant_id integer not null, note text not null);
insert into items
  with recursive t (n) as (select 1 union all select n + 1 from t where n < 400)
  select n, n % ${tenants}, 'Item ' || n || ' "é"', n from t;
`

interface Question {
  readonly body: object
  readonly path?: string
  readonly expected: unknown
  readonly status?: number
}

describeDatabases('64 requests at a time', (open) => {
  let database: TestDatabase
  let server: RunningServer

  beforeAll(async () => {
    database = await open(setUp)
    const own = { tenant_id: '$user.tenant_id' }
    server = await serve({
      config: {
        connections: { main: database.url },
        auth: { secret },
        permissions: [
          { table: 'main.items', roles: ['tenant'], select: { where: own } },
          {
            table: 'main.entries',
            roles: ['tenant'],
            select: { where: own },
            insert: { columns: ['id', 'note'], preset: own },
          },
        ],
      },
      port: 0,
      host: '127.0.0.1',
      isDevelopment: true,
      log: silentLog,
    })
  })
  afterAll(async () => {
    await server?.stop(1_000)
    await database?.remove()
  })

  /** A query for a tenant that depends on the number, and the expected answer. */
  const questionOf = (n: number, tenant: number): Question => {
    const id = tenants * (n % 40) + tenant + tenants
    const other = id + 1
    const data = (sql: string, params: readonly unknown[], method: string) => ({
      sql,
      params,
      method,
    })
    switch (n % 6) {
      case 0:
        return {
          body: data('select id, name, price from main.items where id = $1', [id], 'get'),
          expected: { rows: [id, `Item ${id} "é"`, `${id}.00`] },
        }
      case 1:
        return {
          body: data('select id from main.items where id = $1', [other], 'get'),
          expected: { rows: null },
        }
      case 2:
        return {
          body: data(
            'select count(*)::int, min(tenant_id), max(tenant_id) from main.items',
            [],
            'all',
          ),
          expected: { rows: [[400 / tenants, tenant, tenant]] },
        }
      case 3:
        return {
          body: data(
            'insert into main.entries (id, note) values ($1, $2) returning id, tenant_id, note',
            [n, `note ${n}`],
            'execute',
          ),
          expected: { rows: [{ id: n, tenant_id: tenant, note: `note ${n}` }] },
        }
      case 4:
        return {
          body: data('select name from main.items where id = $1', [`x${n}`], 'all'),
          status: 400,
          expected: expect.objectContaining({ error: 'BAD_REQUEST' }),
        }
      default:
        return {
          path: '/data/batch',
          body: {
            statements: [
              data('select $1::int', [n], 'get'),
              data('select id from main.items where id = $1', [id], 'all'),
            ],
          },
          expected: { results: [{ rows: [n] }, { rows: [[id]] }] },
        }
    }
  }

  test('every answer is the one of its own request', async () => {
    const headers = await Promise.all(
      Array.from({ length: tenants }, (_, tenant_id) =>
        bearer({ sub: `t${tenant_id}`, roles: ['tenant'], tenant_id }),
      ),
    )
    let next = 0
    const total = 1_200
    const client = async () => {
      while (next < total) {
        const n = next++
        const tenant = (n * 7) % tenants
        const { path = '/data', body, expected, status = 200 } = questionOf(n, tenant)
        const requestId = `r-${n}`
        const response = await fetch(`${server.url}${path}`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'x-request-id': requestId,
            ...headers[tenant],
          },
          body: JSON.stringify(body),
        })
        const answer: unknown = await response.json()
        expect({
          n,
          status: response.status,
          id: response.headers.get('x-request-id'),
          answer,
        }).toEqual({
          n,
          status,
          id: requestId,
          answer: expected,
        })
      }
    }
    await Promise.all(Array.from({ length: 64 }, client))
    const written = await database.rows('select id from entries')
    expect(written).toHaveLength(total / 6)
  }, 120_000)
})
