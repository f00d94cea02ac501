/** Types that only hidden columns have: no name, number or cast distinguishes them from types that do not exist. */
import { createPgWireServer } from '@engine/pgwire'
import { describePostgres } from '@engine/test-databases/vitest'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPostgres, type TestDatabase } from '../support/databases.ts'
import { openGateway, type TestGateway } from '../support/gateway.ts'
import { masterKey } from '../support/permission-world.ts'
import { connectWire, type WireClient } from '../support/wire.ts'

const visibleTables = `
  create type mood as enum ('calm', 'cross');
  create domain positive as integer check (value > 0);
  create type place as (street text, kind mood);
  create domain address as place;
  create type span as range (subtype = text, multirange_type_name = spans);
  create table notes (id integer primary key, mood mood, moods mood[], size positive, at address, span span, rest integer);
  insert into notes values (1, 'calm', '{cross}', 3, row('Main St', 'calm'), '[a,b)', 0);
`

const hiddenTables = `
  create type plan as enum ('takeover', 'merger');
  create domain salary as integer check (value < 90000);
  create domain plans as plan[];
  create type offer as (what plan, pay salary);
  create domain vault_text as text;
  create type band as range (subtype = salary, multirange_type_name = bands);
  create schema drawer;
  create type drawer.mood as enum ('furious');
  create type drawer.span as range (subtype = text);
  create type lower as enum ('takeover');
  create table vault (id integer primary key, plan plan, pay salary, plans plans, offer offer, note vault_text, other drawer.mood, band band, span drawer.span);
  alter table notes add column secret plan;
  alter table notes add column pay salary;
  alter table notes add column bands bands;
`

/** Each with the hidden name, and with one that does not exist in either database. */
const names = [
  ['plan', 'nalp'],
  ['_plan', '_nalp'],
  ['salary', 'yralas'],
  ['plans', 'snalp'],
  ['offer', 'reffo'],
  ['vault', 'tluav'],
  ['vault_text', 'txet_tluav'],
  ['band', 'dnab'],
  ['bands', 'sdnab'],
] as const

const statementsOf = (name: string): readonly string[] => [
  `select 'takeover'::${name}`,
  `select 'x'::${name} from main.notes`,
  `select cast('takeover' as ${name})`,
  `select cast($1 as ${name})`,
  `select ${name} 'takeover'`,
  `select '{takeover}'::${name}[]`,
  `select null::${name}[][]`,
  `select 'takeover'::main.${name}`,
  `select 'takeover'::public.${name}`,
  `select 'takeover'::pg_catalog.${name}`,
  `select 5::${name}`,
  `select ${name}('takeover')`,
  `select ${name}(5)`,
  `select enum_range(null::${name})`,
  `select enum_first(null::${name})`,
  `select 'takeover'::text::${name}`,
  `select ${name}(1, 2)`,
  `select ${name}(1, 2, '[]') from main.notes`,
  `select main.${name}(1, 2) from main.notes`,
  `select ${name}() from main.notes`,
  `select id from main.notes where lower('[1,2]'::${name}) = 1`,
  `select id from main.notes where mood::text::${name} is null`,
  `select * from json_to_recordset('[]') as r(a ${name})`,
  `insert into main.notes (id, mood) values (2, 'x'::${name})`,
  `update main.notes set mood = 'takeover'::${name}`,
]

/** Names that both databases may have; the caller sees one of them. */
const own = [
  `select 'calm'::mood, '{calm,cross}'::mood[], '{calm}'::_mood, 3::positive, mood('calm')`,
  `select 'calm'::main.mood, enum_range(null::mood)`,
  `select 'furious'::mood`,
  `select 0::positive`,
  `select null::place, null::address, null::address[]`,
  `select lower('TAKEOVER')`,
  `select span('a', 'c') && span, main.span('a', 'c'), spans(span), '[a,b)'::span::spans from main.notes`,
  'select range_agg(span), max(span), lower(range_merge(spans(span))) from main.notes group by span',
  // A visible table is a type; its rows have the visible columns.
  'select null::notes, (null::main.notes).id, row(2, null, null, 1, null, null)::notes from main.notes',
  `select * from json_populate_record(null::notes, '{"id": 1, "secret": "takeover", "pay": "x", "bands": 1}')`,
  `select json_populate_record(null::notes, '{"id": 1}')`,
  'select (null::notes).secret',
  'select row(1, null, null, 1, null, null, null)::notes',
  `select 'takeover'::notes`,
  `select '(1)'::notes`,
  'select null::notes[]',
  'select * from main.notes',
  'select secret from main.notes',
  'select pay::integer from main.notes',
]

describePostgres('types of hidden columns', () => {
  let databases: readonly TestDatabase[] = []
  let gateways: readonly TestGateway[] = []

  beforeAll(async () => {
    databases = [
      await openPostgres(visibleTables + hiddenTables),
      await openPostgres(visibleTables),
    ]
    gateways = await Promise.all(
      databases.map(({ url }) =>
        openGateway(
          {
            connections: { main: url },
            masterKey,
            pgWire: { port: 0 },
            permissions: {
              notes: {
                table: 'main.notes',
                roles: ['anonymous'],
                select: { columns: ['id', 'mood', 'moods', 'size', 'at', 'span'] },
                insert: { columns: ['id', 'mood'] },
                update: { columns: ['mood'] },
              },
            },
          },
          { isDevelopment: false, pgWire: createPgWireServer },
        ),
      ),
    )
  })
  afterAll(async () => {
    for (const gateway of gateways) await gateway.close()
    for (const database of databases) await database.remove()
  })

  const answers = (sql: string, params: readonly unknown[] = []) =>
    Promise.all(
      gateways.map(async ({ data }) => {
        const { status, body } = await data(
          { sql, params, method: 'all' },
          { 'x-request-id': 'same' },
        )
        return JSON.stringify([status, body])
      }),
    )

  test.each(names)('over HTTP, %s answers as %s does', async (hidden, unknown) => {
    const missing = statementsOf(unknown)
    for (const [i, sql] of statementsOf(hidden).entries()) {
      const params = sql.includes('$1') ? ['takeover'] : []
      const [there, gone] = await answers(sql, params)
      expect(there, sql).toBe(gone)
      const [other = ''] = await answers(missing[i] ?? '', params)
      expect(there, sql).toBe(other.replaceAll(unknown, hidden))
      expect(there, sql).not.toMatch(/^\[200/)
    }
  })

  test.each(own)('over HTTP, %s', async (sql) => {
    const [there, gone] = await answers(sql)
    expect(there).toBe(gone)
  })

  test('a visible type is found under its name, whatever hidden type has the same', async () => {
    const [answer] = await answers(own[0] ?? '')
    expect(answer).toMatch(/^\[200/)
    expect((await answers('select lower($1)', ['TAKEOVER']))[0]).toMatch(/"takeover"/)
  })

  test('the master key sees all of them, with the same text', async () => {
    const sql = "select 'takeover'::plan"
    const withKey = { authorization: `Bearer ${masterKey}` }
    const ask = async (headers?: Readonly<Record<string, string>>) =>
      (await gateways[0]?.data({ sql, params: [], method: 'all' }, headers))?.status
    expect([await ask(), await ask(withKey), await ask(), await ask(withKey)]).toEqual([
      400, 200, 400, 200,
    ])
  })

  describe('over the wire', () => {
    let clients: readonly WireClient[] = []
    let hiddenOids: readonly number[] = []

    beforeAll(async () => {
      const addresses = await Promise.all(gateways.map(({ engine }) => engine.startPgWire()))
      clients = await Promise.all(addresses.map(({ address }) => connectWire({ address })))
      const rows = await databases[0]?.rows(
        "select oid::int4 as oid from pg_type where typname ~ '^_?(plan|salary|plans|offer|vault|vault_text|lower|bands?)$'",
      )
      hiddenOids = (rows as readonly { readonly oid: number }[]).map(({ oid }) => oid)
    })
    afterAll(async () => {
      for (const client of clients) await client.end()
    })

    const outcome = async (client: WireClient, query: object | string): Promise<string> => {
      try {
        const { rows, fields } = await client.query(query as pg.QueryConfig)
        return JSON.stringify([rows, fields.map(({ dataTypeID }) => dataTypeID)])
      } catch (error) {
        if (!(error instanceof pg.DatabaseError)) throw error
        return `${error.code} ${error.message} ${error.position}`
      }
    }
    const both = (query: object | string) =>
      Promise.all(clients.map((client) => outcome(client, query)))

    test('declared types, by their numbers in the database', async () => {
      expect(hiddenOids.length).toBeGreaterThan(10)
      for (const oid of hiddenOids) {
        const declared = (text: string) => both({ text, values: ['takeover'], types: [oid] })
        const [there, gone] = await declared('select id from notes where mood::text = $1')
        expect(there).toBe(`42704 type with OID ${oid} does not exist undefined`)
        expect(gone).toBe(there)
        const [thereAlone, goneAlone] = await declared('select $1 as a')
        expect(thereAlone).toBe(goneAlone)
      }
    })

    test.each(names)(
      'PREPARE, casts and catalogs: %s answers as %s does',
      async (hidden, unknown) => {
        const texts = (name: string) => [
          `prepare p(${name}) as select $1`,
          `prepare p(${name}[]) as select id from notes where mood::text = $1::text`,
          `prepare p("main"."${name}") as select $1`,
          `select 'takeover'::${name}`,
          `select '${name}'::regtype`,
          `select to_regtype('${name}')`,
          `select enumlabel from pg_enum e join pg_type t on t.oid = e.enumtypid where typname = '${name}'`,
          `select typname from pg_type where typname = '${name}'`,
          `declare c cursor with hold for select id, 'takeover'::${name} from notes`,
          `copy (select 'takeover'::${name} from notes) to stdout`,
          ...statementsOf(name).filter((sql) => !sql.includes('$1')),
        ]
        const missing = texts(unknown)
        for (const [i, sql] of texts(hidden).entries()) {
          const [there, gone] = await both(sql)
          expect(there, sql).toBe(gone)
          const [other = ''] = await both(missing[i] ?? '')
          expect(there, sql).toBe(other.replaceAll(unknown, hidden))
        }
      },
    )
  })
})
