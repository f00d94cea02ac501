/** The extension citext, which many tables of users have: texts without regard to letter case, as PostgreSQL itself treats them. */
import { createDatabase } from '@engine/test-databases/vitest'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openGateway, type TestGateway } from '../support/gateway.ts'

let client: Client
let gateway: TestGateway

beforeAll(async () => {
  const url = await createDatabase('citext')
  client = new Client({ connectionString: url })
  await client.connect()
  await client.query(`
    create extension citext;
    create table people (id int primary key, email citext unique, name varchar(40));
    insert into people values (1, 'Ada@Example.com', 'Ada'), (2, 'bob@example.com', 'Bob'), (3, null, 'Cy')
  `)
  gateway = await openGateway({ connections: { main: url } })
})

afterAll(async () => {
  await gateway?.close()
  await client?.end()
})

test.each([
  ["select id from people where email = 'ADA@example.COM'", []],
  ['select id from people where email = $1', ['BOB@EXAMPLE.COM']],
  ['select lower(email), upper(email), length(email) from people order by id', []],
  ["select id from people where lower(email) = 'ada@example.com'", []],
  ["select id from people where email like 'ADA%'", []],
  ["select id from people where email not like 'ADA%'", []],
  ['select id from people where email ilike $1', ['%EXAMPLE%']],
  ["select id from people where email ~ '^BOB'", []],
  ["select id from people where email like '%' || name || '%'", []],
  ['select id from people where email < $1', ['B']],
  ['select email from people order by email desc nulls last', []],
  ['select distinct email from people order by email', []],
  ['select email, count(*) from people group by email order by email nulls first', []],
  ["select coalesce(email, 'none') from people order by id", []],
  ['select email || $1 from people order by id', ['!']],
  ['select id from people where email in ($1, $2)', ['ADA@EXAMPLE.COM', 'x']],
] as const)('%s has the answer of PostgreSQL', async (sql, params) => {
  const { rows } = await client.query({ text: sql, values: [...params], rowMode: 'array' })

  const { body } = await gateway.data({ sql, params: [...params], method: 'values' })

  expect(body).toEqual({ rows: rows })
})

test('a text of another column is assigned', async () => {
  const sql = 'update people set email = name where id = 3 returning email'
  const { body } = await gateway.data({ sql, params: [], method: 'values' })
  expect(body).toEqual({ rows: [['Cy']] })
})
