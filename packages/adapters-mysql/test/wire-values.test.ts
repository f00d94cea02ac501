/**
 * The adapter reads rows from the packets. Its values are those of mysql2's parser, and JSON that is written from bytes is the JSON
 * of the value.
 */
import type { CellKind } from '@engine/core/values'
import { describeEachMysql } from '@engine/test-databases/vitest'
import { type Connection, createConnection } from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectionOptions } from '../src/driver/connection-options.ts'
import { openSession } from '../src/driver/open-session.ts'
import { createJsonBuffer } from '../src/driver/protocol/json-buffer.ts'
import { createRowFormat, type RowFormat } from '../src/driver/protocol/json-rows.ts'
import type { MysqlSession } from '../src/driver/session.ts'
import type { DriverValue } from '../src/values/driver-value.ts'
import { jsonColumn } from '../src/values/json-column.ts'
import { openClient } from './support/client.ts'

const moments = [
  "'2024-02-29 10:30:00'",
  "'2024-01-15 23:59:59.987654'",
  "'2024-01-15 00:00:00.000100'",
  "'0000-00-00'",
  "'2024-00-00'",
  "'0007-01-02 03:04:05'",
  "'9999-12-31 23:59:59.9'",
]
const times = [
  "'10:30:00'",
  "'-838:59:59'",
  "'838:59:58.999999'",
  "'-00:00:00.5'",
  "'00:00:00'",
  "'24:00:00.10'",
  "'-00:00:01'",
]
const texts = [
  "''",
  "'a'",
  `'quote " and \\\\ and \\n and \\r\\t and \\0 and \\Z'`,
  "'é €'",
  "'null'",
  "repeat('x', 250)",
  "repeat('x', 251)",
  "repeat('é', 600)",
  "repeat('\\n', 1025)",
]
const bytes = ["''", "x'00ff80fe'", "x'c3'", "'plain'", "x'e282ac'", "repeat(x'ff', 300)"]
const uuid = "'ABCDEF00-0000-4000-8000-00000000000f'"

/** Values by column type; a value that a type refuses is adapted, since the test's session is not strict. */
const columns: Readonly<Record<string, readonly string[]>> = {
  tinyint: ['-128', '127', '0'],
  'tinyint(1)': ['1', '0', '-1'],
  'tinyint unsigned': ['255', '0'],
  smallint: ['-32768', '32767', '10'],
  'smallint unsigned': ['65535', '99'],
  mediumint: ['-8388608', '8388607'],
  'mediumint unsigned': ['16777215'],
  int: ['-2147483648', '2147483647', '9', '1000000000'],
  'int unsigned': ['4294967295', '2147483648'],
  bigint: [
    '-9223372036854775808',
    '9223372036854775807',
    '9007199254740991',
    '9007199254740992',
    '-9007199254740993',
    '-1',
    '0',
    '4294967296',
  ],
  'bigint unsigned': ['18446744073709551615', '9223372036854775808', '1'],
  year: ['2024', '1901', '2155', '0'],
  'decimal(65,30)': ["'-12345678901234567890123456789012345.123456789012345678901234567890'", '0'],
  'decimal(10,2)': ['-0.10', '12345678.90', '0'],
  'decimal(5,0)': ['-99999', '7'],
  'decimal(6,2) unsigned zerofill': ['1.5'],
  float: ['0.1', '-1e30', '16777217', '0', '1e-40'],
  double: ['0.1', '1e300', '-1e-300', '123456789012345678', '0', '-0.0'],
  'bit(1)': ["b'0'", "b'1'"],
  'bit(9)': ["b'101010101'", "b'0'"],
  'bit(64)': ["b'1111111111111111111111111111111111111111111111111111111111111111'"],
  date: ["'2024-02-29'", "'0000-00-00'", "'9999-12-31'", "'0001-01-01'", "'2024-10-00'"],
  datetime: moments,
  'datetime(1)': moments,
  'datetime(3)': moments,
  'datetime(6)': moments,
  timestamp: ["'2024-02-29 10:30:00'", "'1970-01-01 00:00:01'", "'0000-00-00'"],
  'timestamp(2)': ["'2024-02-29 10:30:00.25'", "'2024-02-29 00:00:00.10'"],
  'timestamp(6)': ["'2024-02-29 10:30:00.250100'", "'2038-01-19 03:14:07.999999'"],
  time: times,
  'time(2)': times,
  'time(6)': times,
  'char(36)': [uuid, "'x'", "''"],
  'varchar(2000)': [...texts, "'😀'"],
  'varchar(2000) character set latin1': texts,
  'varchar(2000) character set ucs2': texts,
  'varchar(2000) character set utf8mb3': texts,
  'varchar(2000) character set gbk': ["'a'", "'中文'"],
  'varchar(2000) character set cp1251': ["'Ёж'"],
  'varchar(2000) collate utf8mb4_unicode_ci': texts,
  tinytext: ["'a'"],
  text: [...texts, "repeat('x', 65535)"],
  mediumtext: ["repeat('é', 70000)", "repeat('\"', 70000)"],
  longtext: ["'a'"],
  'binary(4)': bytes,
  'varbinary(2000)': bytes,
  tinyblob: bytes,
  blob: bytes,
  mediumblob: ["repeat(x'00', 70000)"],
  longblob: bytes,
  "enum('a', 'é', '')": ["'a'", "'é'", "''"],
  "set('x', 'y', 'z')": ["'x,z'", "''"],
  json: [
    `'{"a": [1, 2.50, "é\\\\n"]}'`,
    "'null'",
    "'[]'",
    '\'"text"\'',
    "'12345678901234567890.10'",
  ],
}

/** What is calculated has types of its own. */
const calculated = [
  'null',
  '1',
  '1.50',
  '1e0',
  "'text'",
  "x'00ff'",
  'true',
  'now(6) = now(6)',
  "date '2024-01-15'",
  "timestamp '2024-01-15 10:30:00.250'",
  "time '10:30:00.5'",
  'count(*)',
  'sum(1)',
  'avg(1)',
  "max('a')",
  "group_concat('a')",
  "json_object('a', 1)",
  'cast(18446744073709551615 as unsigned)',
  "cast('2024-01-15' as datetime(3))",
  "cast('a' as binary)",
  'sec_to_time(-5000.25)',
  "timediff('2024-01-02', '2024-01-01')",
  'repeat("é", 3)',
  "convert('é' using latin1)",
  "coalesce(null, 'a')",
  "if(true, 1, 'a')",
  'least(1, 2.5)',
  "date_add('2024-01-15', interval 1 second)",
]

const kinds: readonly CellKind[] = [
  ...(
    [
      'boolean',
      'bigint',
      'float4',
      'float8',
      'bytes',
      'json',
      'jsonb',
      'text',
      'uuid',
      'date',
      'time',
      'timestamp',
      'timestamptz',
    ] as const
  ).map((kind) => ({ kind })),
  { kind: 'integer' },
  { kind: 'decimal', scale: undefined },
  { kind: 'decimal', scale: 2 },
  { kind: 'padded', length: 5 },
  { kind: 'array', element: { kind: 'text' } },
]

describeEachMysql('values from packets', (server) => {
  let driver: Connection
  let session: MysqlSession
  let hasTypes: (type: string) => Promise<boolean>
  let close: () => Promise<void>

  beforeAll(async () => {
    const url = await server.createDatabase('wire')
    const client = await openClient(url)
    await client.run("set session sql_mode = ''", 'set names utf8mb4')
    for (const [index, [type, values]] of Object.entries(columns).entries()) {
      await client.run(
        `create table t${index} (id int auto_increment primary key, v ${type} null, w int) character set utf8mb4`,
        `insert into t${index} (v) values (null)`,
        ...values.map((value) => `insert into t${index} (v) values (${value})`),
      )
    }
    hasTypes = async (type) => {
      try {
        await client.run(`create table of_${type} (id int primary key, v ${type}, w int)`)
        return true
      } catch {
        return false
      }
    }
    const options = connectionOptions(url)
    driver = await createConnection(options)
    await driver.query("set names utf8mb4, session sql_mode = '', time_zone = '+00:00'")
    session = await openSession(options, { isReadOnly: false, mostSessions: 1 })
    await session.command("set session sql_mode = ''")
    close = async () => {
      session.close()
      await driver.end()
      await client.close()
    }
  })
  afterAll(() => close())

  async function compare(sql: string): Promise<number> {
    const [expected] = (await driver.execute(sql)) as unknown as [
      readonly (readonly DriverValue[])[],
    ]
    expect(await session.rows(sql)).toEqual(expected)
    for (const kind of kinds) {
      const column = jsonColumn(kind)
      const row = expected.map((cells) => `[${cells.map(column.encode).join(',')}]`)
      expect(await jsonOf(sql, kind), `as ${JSON.stringify(kind)}`).toBe(row.join(','))
    }
    return expected.length
  }

  async function jsonOf(sql: string, kind: CellKind): Promise<string> {
    const out = createJsonBuffer(16)
    let format: RowFormat | undefined
    let fields: readonly { readonly before: Buffer; readonly column: number }[] = []
    await session.execute(sql, [], {
      columns: (sent) => {
        format = createRowFormat(
          sent,
          sent.map(() => jsonColumn(kind)),
        )
        fields = sent.map((_, column) => ({ before: Buffer.from(column === 0 ? '' : ','), column }))
      },
      row: (buffer, start, end) => {
        if (out.length() > 0) out.byte(0x2c)
        format?.locate(buffer, start, end)
        format?.write(buffer, out, { open: '[', fields, close: ']' })
      },
    })
    return Buffer.from(out.finish()).toString()
  }

  describe('of columns', () => {
    test.each(Object.keys(columns).map((type, index) => [type, index] as const))(
      '%s',
      async (type, index) => {
        const rows = await compare(`select id, v, w, v from t${index} order by id`)
        expect(rows).toBe((columns[type]?.length ?? 0) + 1)
      },
    )
  })

  test.each(['uuid', 'inet4', 'inet6'])('%s, where the server has it', async (type) => {
    if (!(await hasTypes(type))) return
    const value = { uuid, inet4: "'10.0.0.1'", inet6: "'::1'" }[type]
    await session.execute(`insert into of_${type} values (1, ${value}, 5), (2, null, 5)`, [], {
      columns: () => undefined,
      row: () => undefined,
    })
    expect(await compare(`select v, w from of_${type} order by id`)).toBe(2)
  })

  test.each(calculated)('select %s', async (expression) => {
    expect(await compare(`select ${expression}, 7`)).toBe(1)
  })

  test('NULLs at every place of a wide row', async () => {
    const nulls = (step: number) =>
      Array.from({ length: 40 }, (_, i) => (i % step === 0 ? 'null' : String(i))).join(', ')
    for (const step of [1, 2, 3, 7, 8, 9]) expect(await compare(`select ${nulls(step)}`)).toBe(1)
  })

  test('no rows, and many packets', async () => {
    expect(await compare('select 1 from t0 where false')).toBe(0)
    expect(await compare("select a.id, repeat('é', 500) from t0 a, t1 b, t2 c, t3 d, t4 e")).toBe(
      4 * 4 * 3 * 4 * 3,
    )
  })
})
