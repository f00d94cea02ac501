/**
 * SQLite stores any value in any column: reading a value of the wrong type fails, which must not reveal hidden rows.
 */
import type { Permission } from '@engine/core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSqlite, type TestDatabase } from '../support/databases.ts'
import { openGateway, type TestGateway } from '../support/gateway.ts'
import { permissionGateway } from '../support/permission-world.ts'
import { secret } from '../support/tokens.ts'

const tables = `
create table members (tenant text not null, who text not null);
insert into members values ('acme', 'ada');
create table events (
  id integer primary key, tenant text not null, at timestamp, day date, flag boolean, size integer, key uuid
);
create index on_day on events (day);
insert into events values
  (1, 'acme', '2024-01-01 10:00:00', '2024-01-01', 1, 5, '00000000-0000-0000-0000-000000000001');`

const garbage = `insert into events values (2, 'umbra', 'never', 'some day', 'maybe', 'large', 'none');`

const statements = [
  "select id from main.events where at > '2020-01-01'",
  "select id from main.events where day between '2020-01-01' and '2030-01-01'",
  'select id from main.events where flag',
  'select id from main.events where size in (5, 6)',
  "select id from main.events where key = '00000000-0000-0000-0000-000000000001'",
  'select count(*) from main.events where at is not null',
  'select a.id from main.events a join main.events b on b.day = a.day',
  'select at, day, flag, size, key from main.events order by at',
  'select max(day), count(distinct size) from main.events',
  'select day, count(*) from main.events group by day having min(size) > 1',
  "update main.events set size = 6 where at > '2020-01-01' returning id",
  "delete from main.events where day < '2000-01-01' returning id",
]

const mine = { tenant: '$user.tenant' }
const member = {
  $exists: { table: 'main.members', where: { who: '$user.name', tenant: { $outer: 'tenant' } } },
}

type Filter = NonNullable<Permission['restrict']>

let databases: readonly TestDatabase[]
let gateways: readonly TestGateway[]
beforeAll(async () => {
  databases = await Promise.all(['', garbage].map((more) => openSqlite(tables + more)))
  const permissions = (where: Filter) => ({
    events: { table: 'main.events', roles: ['clerk'], select: { where }, update: {}, delete: {} },
  })
  gateways = await Promise.all(
    [mine, member].flatMap((where) =>
      databases.map(({ url }) =>
        openGateway({
          connections: { main: url },
          auth: { secret },
          permissions: permissions(where as Filter),
        }),
      ),
    ),
  )
})
afterAll(async () => {
  for (const gateway of gateways ?? []) await gateway.close()
  for (const database of databases ?? []) await database.remove()
})

test.each(statements)('%s', async (sql) => {
  const claims = { roles: ['clerk'], tenant: 'acme', name: 'ada' }
  const answers = await Promise.all(
    gateways.map(async (gateway) => {
      const { status, body } = await permissionGateway(gateway).ask(claims, sql)
      return { status, body }
    }),
  )
  expect(answers[0]).toMatchObject({ status: 200 })
  for (const answer of answers) expect(answer).toEqual(answers[0])
})
