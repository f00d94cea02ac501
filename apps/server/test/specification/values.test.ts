/** Values on the wire: the same for every database. */

import { describePostgres } from '@engine/test-databases/vitest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeDatabases, openPostgres, type TestDatabase } from '../support/databases.ts'
import { openGateway, type TestGateway } from '../support/gateway.ts'

/** Declared type, what is written into SQL, what comes as JSON text. */
const cells: readonly (readonly [type: string, literal: string, json: string])[] = [
  ['smallint', '-32768', '-32768'],
  ['integer', '2147483647', '2147483647'],
  ['bigint', '9223372036854775807', '"9223372036854775807"'],
  ['bigint', '7', '"7"'],
  ['boolean', 'true', 'true'],
  ['boolean', 'false', 'false'],
  ['double precision', '0.1', '0.1'],
  ['double precision', '1e300', '1e+300'],
  ['double precision', '-2', '-2'],
  ['numeric(10,2)', '1234.5', '"1234.50"'],
  ['numeric(10,2)', '-0.05', '"-0.05"'],
  ['text', "'say \"hi\" \\ ' || 'é 🙂'", '"say \\"hi\\" \\\\ é 🙂"'],
  ['text', "''", '""'],
  ['varchar(10)', "'abc'", '"abc"'],
  ['char(4)', "'ab'", '"ab  "'],
  ['date', "'2024-02-29'", '"2024-02-29"'],
  ['time', "'10:30:00.25'", '"10:30:00.25"'],
  ['timestamp', "'2024-01-15 10:30:00'", '"2024-01-15 10:30:00"'],
  ['timestamp', "'2024-01-15 10:30:00.123456'", '"2024-01-15 10:30:00.123456"'],
  ['timestamptz', "'2024-01-15 10:30:00.5+00'", '"2024-01-15 10:30:00.5+00"'],
  ['uuid', "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'", '"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"'],
  [
    'jsonb',
    `'{"a": [1, {"b": null}], "n": 12345678901234567890}'`,
    '{"a": [1, {"b": null}], "n": 12345678901234567890}',
  ],
  ['jsonb', `'"text"'`, '"text"'],
  ['jsonb', `'null'`, 'null'],
]

describeDatabases('values on the wire', (open, kind) => {
  let database: TestDatabase
  let gateway: TestGateway

  beforeAll(async () => {
    const bytes = kind === 'postgres' ? ['bytea', "'\\xdeadbeef'"] : ['blob', "x'deadbeef'"]
    const columns = [...cells.map(([type, literal]) => [type, literal]), bytes]
    const declared = columns.map(([type], i) => `c${i} ${type}`).join(', ')
    const nulls = columns.map(() => 'null').join(', ')
    // MariaDB takes a moment without its zone, which is UTC here.
    const spelled = (literal = '') => (kind === 'mysql' ? literal.replace(/\+00'$/, "'") : literal)
    const values = columns.map(([, literal]) => spelled(literal)).join(', ')
    database = await open(
      `create table cells (id integer primary key, ${declared});
       insert into cells values (1, ${values}), (2, ${nulls})`,
    )
    gateway = await openGateway({ connections: { main: database.url } })
  })
  afterAll(async () => {
    await gateway?.close()
    await database?.remove()
  })

  /** The answer as it is: parsing would lose digits. */
  const textOf = async (sql: string, params: readonly unknown[] = [], method = 'get') => {
    const response = await gateway.fetch(
      new Request('http://gateway.test/data', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ sql, params, method }),
      }),
    )
    return response.text()
  }

  test.each(cells.map((cell, i) => [...cell, i] as const))(
    '%s %s',
    async (_, _literal, json, i) => {
      const sql = `select c${i} from main.cells where id = $1`
      expect(await textOf(sql, [1])).toBe(`{"rows":[${json}]}`)
      expect(await textOf(sql, [2])).toBe('{"rows":[null]}')
      expect(await textOf(sql, [1], 'execute')).toBe(`{"rows":[{"c${i}":${json}}]}`)
    },
  )

  test('bytes are hex digits', async () => {
    const sql = `select c${cells.length} from main.cells where id = 1`
    expect(await textOf(sql)).toBe('{"rows":["\\\\xdeadbeef"]}')
  })

  test('computed values have the forms of their types', async () => {
    expect(await textOf('select 1 + 1, 1.50 + 1, 7 / 2, 1 = 1, null is null')).toBe(
      '{"rows":[2,"2.50",3,true,true]}',
    )
    expect(await textOf('select count(*), sum(id), max(id), avg(id) from main.cells')).toBe(
      '{"rows":["2","3",2,"1.5000000000000000"]}',
    )
  })

  test('nested JSON is JSON, not text', async () => {
    const sql = `select json_build_array(c0, c2, c4, c11, json_build_object('a', c20)) from main.cells where id = 1`
    const { rows } = JSON.parse(await textOf(sql)) as { rows: unknown[] }
    expect(rows).toEqual([
      [
        -32768,
        expect.anything(),
        true,
        'say "hi" \\ é 🙂',
        { a: 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11' },
      ],
    ])
  })

  describe('values sent', () => {
    test.each<[string, unknown, string]>([
      ['int4', 5, '5'],
      ['int4', '5', '5'],
      ['int8', '9007199254740993', '"9007199254740993"'],
      ['int8', 12, '"12"'],
      ['numeric', '0.10', '"0.10"'],
      ['numeric', 1.5, '"1.5"'],
      ['float8', 0.1, '0.1'],
      ['bool', true, 'true'],
      ['bool', 'f', 'false'],
      ['text', 'x', '"x"'],
      ['text', '', '""'],
      ['text', "'; drop table cells; --", '"\'; drop table cells; --"'],
      ['date', '2024-01-15', '"2024-01-15"'],
      ['date', '2024-01-15T00:00:00.000Z', '"2024-01-15"'],
      ['timestamp', '2024-01-15T10:30:00.250Z', '"2024-01-15 10:30:00.25"'],
      ['timestamptz', '2024-01-15T10:30:00.250Z', '"2024-01-15 10:30:00.25+00"'],
      ['timestamptz', '2024-01-15T12:30:00+02:00', '"2024-01-15 10:30:00+00"'],
      ['uuid', 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11', '"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"'],
      ['jsonb', { b: 1, a: [true, null] }, '{"a": [true, null], "b": 1}'],
      ['jsonb', '{"a": 1}', '{"a": 1}'],
      ['bytea', '\\xDEAD', '"\\\\xdead"'],
      ['bytea', { type: 'Buffer', data: [222, 173] }, '"\\\\xdead"'],
      ['int4[]', [1, null, 3], '[1,null,3]'],
      ['int4[]', '{1,NULL,3}', '[1,null,3]'],
      ['text[]', ['a,b', 'c"d', ''], '["a,b","c\\"d",""]'],
      ['int4', null, 'null'],
    ])('%s %j', async (type, value, json) => {
      expect(await textOf(`select $1::${type}`, [value])).toBe(`{"rows":[${json}]}`)
    })

    test('digits beyond a double survive, as numbers in the body', async () => {
      const body =
        '{"sql":"select $1::numeric, $2::int8, $3::jsonb","method":"get","params":[123456789.123456789,9007199254740993,{"n":12345678901234567890}]}'
      const response = await gateway.fetch(
        new Request('http://gateway.test/data', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        }),
      )
      expect(await response.text()).toBe(
        '{"rows":["123456789.123456789","9007199254740993",{"n": 12345678901234567890}]}',
      )
    })

    test('what is written comes back', async () => {
      const columns = cells.map((_, i) => `c${i}`).join(', ')
      const copied = `insert into main.cells (id, ${columns}) select 3, ${columns} from main.cells where id = 1`
      expect(await textOf(copied, [], 'run')).toBe('{"rows":[]}')
      const select = (id: number) => textOf(`select ${columns} from main.cells where id = ${id}`)
      expect(await select(3)).toBe(await select(1))
    })

    test('a list finds its rows', async () => {
      const sql = 'select id from main.cells where id = any($1) order by id'
      expect(await textOf(sql, [[1, 2, 99]], 'all')).toBe('{"rows":[[1],[2]]}')
      expect(await textOf(sql, [[]], 'all')).toBe('{"rows":[]}')
    })

    test('lone surrogates and NUL characters are refused', async () => {
      for (const value of ['\ud800', 'a\0b']) {
        expect(await textOf('select $1::text', [value])).toContain('"BAD_REQUEST"')
      }
    })
  })
})

describePostgres('values that only PostgreSQL has', () => {
  let database: TestDatabase
  let gateway: TestGateway

  beforeAll(async () => {
    database = await openPostgres(`
      create type mood as enum ('sad', 'happy');
      create domain age as integer check (value >= 0);
      create table cells (
        id integer primary key, feeling mood, feelings mood[], years age, matrix integer[][],
        address inet, span interval, spot point, bits bit(3), range int4range, amounts numeric(6,2)[],
        moments timestamptz[], texts text[], real_one real, money_one money
      );
      insert into cells values (1, 'happy', '{sad,NULL}', 5, '{{1,2},{3,4}}', '10.0.0.1/8', '1 day 02:03:04',
        '(1.5,2)', '101', '[1,5)', '{1.5,NULL}', '{"2024-01-15 10:30:00+02"}', '{"a,b","c\\"d",NULL,"NULL"}', 'NaN', '12.5');
    `)
    gateway = await openGateway({ connections: { main: database.url } })
  })
  afterAll(async () => {
    await gateway?.close()
    await database?.remove()
  })

  test.each([
    ['feeling', '"happy"'],
    ['feelings', '["sad",null]'],
    ['years', '5'],
    ['matrix', '[[1,2],[3,4]]'],
    ['address', '"10.0.0.1/8"'],
    ['span', '"1 day 02:03:04"'],
    ['spot', '"(1.5,2)"'],
    ['bits', '"101"'],
    ['range', '"[1,5)"'],
    ['amounts', '["1.50",null]'],
    ['moments', '["2024-01-15 08:30:00+00"]'],
    ['texts', '["a,b","c\\"d",null,"NULL"]'],
    ['real_one', '"NaN"'],
  ])('%s is %s', async (column, json) => {
    const sql = `select ${column} from main.cells`
    const { body } = await gateway.data({ sql, params: [], method: 'get' })
    expect(JSON.stringify(body)).toBe(`{"rows":[${json}]}`)
  })

  test('an enum is compared with a parameter', async () => {
    const sql = 'select id from main.cells where feeling = $1'
    expect((await gateway.data({ sql, params: ['happy'], method: 'get' })).body).toEqual({
      rows: [1],
    })
    expect(await gateway.data({ sql, params: ['angry'], method: 'get' })).toMatchObject({
      status: 400,
    })
  })
})
