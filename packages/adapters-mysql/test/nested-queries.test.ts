import { admin, createEngine, type Engine } from '@engine/core'
import { describeEachMysql } from '@engine/test-databases/vitest'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../src/index.ts'
import { openClient } from './support/client.ts'

/** PostgreSQL's results over rows 1 to 3, where `a` is NULL in row 2, else equal to `id`. */
const answers: readonly (readonly [sql: string, rows: string])[] = [
  [
    `with w as (select id from main.item)
     select id from main.item where id in (with v as (select id + 1 as n from w) select n from v) order by id`,
    '[[2],[3]]',
  ],
  [
    `select n from (
       with w as (select a from main.item) select count(*) as n from w group by rollup (a)
     ) as s order by n`,
    '[["1"],["1"],["1"],["3"]]',
  ],
  [
    `with w as (select id from main.item), v as (
       select s.n from (select max(id) as n from w group by cube (id)) as s
     ) select n from v order by n`,
    '[[1],[2],[3],[3]]',
  ],
  [
    'select id, 4 in (values (null::int4), (a)) from main.item order by id',
    '[[1,null],[2,null],[3,null]]',
  ],
  [
    'select id, id in (values (null::int4), (2)) from main.item order by id',
    '[[1,null],[2,true],[3,null]]',
  ],
  [
    'select id, id + 5 in (select id from main.item union all select null) from main.item order by id',
    '[[1,null],[2,null],[3,null]]',
  ],
  [
    `select id, (select 1.5 limit 1 offset 1), (select 'a' limit 1 offset 1), (select a limit 1 offset 1)
     from main.item where id = 1`,
    '[[1,null,null,null]]',
  ],
  [
    `select id, exists (select from main.item i group by i.a having d.id = 2), id as again
     from (select id from main.item order by id limit 3) as d order by id`,
    '[[1,false,1],[2,true,2],[3,false,3]]',
  ],
  [
    `select a, (select count(*) from main.item i group by i.a having i.a = d.a and d.a > 0) as n, a as again
     from (select a from main.item order by a limit 3) as d order by a`,
    '[[1,"1",1],[3,"1",3],[null,null,null]]',
  ],
]

describeEachMysql('queries inside queries', (server) => {
  let engine: Engine

  beforeAll(async () => {
    const url = await server.createDatabase('nested')
    const client = await openClient(url)
    await client.run(
      'create table item (id int primary key, a int, t varchar(20))',
      // Without any text in `t`, no list is compared with one.
      "insert into item values (1, 1, 'a'), (2, null, null), (3, 3, null)",
    )
    await client.close()
    engine = await createEngine(
      { connections: { main: { url } } },
      { adapters: { '@engine/adapters-mysql': connect } },
    )
  })

  afterAll(() => engine?.close())

  test.each(answers)('%s', async (sql, rows) => {
    const request = { sql, params: [], method: 'all', meta: false, signal: undefined } as const
    const { body } = await engine.query(request, admin)
    expect(JSON.parse(Buffer.from(body).toString())).toEqual({ rows: JSON.parse(rows) })
  })

  test.each([
    'select t from main.item where false union all select $1',
    'select t from main.item where false union select distinct $1',
    "select coalesce($1, '') union all select t from main.item where false",
    "select x from (values ($1), ('a')) as v (x) where x <> 'a'",
    "with q (x) as (select t from main.item union select $1) select x from q where x like 'é%'",
    'select $1 intersect select $1',
  ])('a text of more than 65535 bytes comes whole out of %s', async (sql) => {
    const text = 'é'.repeat(70_000)
    const request = { sql, params: [text], method: 'all', meta: false, signal: undefined } as const
    const { body } = await engine.query(request, admin)
    expect(JSON.parse(Buffer.from(body).toString())).toEqual({ rows: [[text]] })
  })

  test('a list of lists of texts is refused where its elements are compared', async () => {
    const sql = 'select id from main.item where t = any($1)'
    const request = {
      sql,
      params: [[['a']]],
      method: 'all',
      meta: false,
      signal: undefined,
    } as const
    await expect(engine.query(request, admin)).rejects.toMatchObject({
      status: 400,
      sqlState: '0A000',
    })
  })
})
