import { GatewayError } from '@engine/core'
import { loadParser } from '@engine/core/session'
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CopyCell } from '../src/copy/copy-codec.ts'
import { createCopyDecoder } from '../src/copy/copy-decoder.ts'
import { createCopyEncoder } from '../src/copy/copy-encoder.ts'
import { readStatements } from '../src/session/reading/read-statements.ts'
import type { CopyOptions } from '../src/session/statements/client-statement.ts'
import { type CopyFailure, copyWithPostgres } from './support/copy-with-postgres.ts'

/** The options that our reader finds in a COPY statement. */
function optionsOf(sql: string): CopyOptions {
  const [statement] = readStatements(sql)
  if (statement?.kind === 'refused') throw statement.error
  if (statement?.kind !== 'command') throw new Error('no command')
  const { command } = statement
  if (command.kind !== 'copyOut' && command.kind !== 'copyIn') throw new Error('no COPY')
  return command.copy
}

const awkward = [
  'plain',
  '',
  '\\N',
  '\\.',
  'N',
  'tab\tnew\nline\rreturn\bback\ffeed\vvertical',
  'back\\slash',
  'comma,semi;colon',
  'quote"single\'pipe|',
  '""',
  ' spaces ',
  'ä😀–',
  '\u0001\u001f\u007f',
  'NULL',
  'line1\r\nline2',
]

const outOptions = [
  '',
  "delimiter ','",
  "delimiter '|', null 'NULL'",
  "null ''",
  'header',
  'format csv',
  'format csv, header',
  "format csv, delimiter ';', null 'NULL', force_quote *",
  'format csv, force_quote (b)',
  `format csv, quote '''', escape '\\'`,
  `format csv, escape '|'`,
  "format csv, delimiter E'\\t'",
  `format csv, quote '|', null 'N'`,
  'format binary',
]

/** Options, and the data that is sent with them. */
const inputs: readonly (readonly [options: string, data: readonly string[]])[] = [
  [
    '',
    [
      'a\tb\n',
      'a\tb',
      'a\tb\r\nc\td\r\n',
      'a\tb\rc\td\r',
      'a\tb\rc\td',
      'a\tb\nc\td\r\n',
      'a\tb\r\nc\td\n',
      'a\tb\rc\td\n',
      'a\tb\r\nc\rd\te\r\n',
      '\\N\t\\N\n',
      '\\\\N\t\\NN\n',
      'x\\ty\\n\\r\\b\\f\\v\tz\n',
      '\\101\\x42\\7\\x7\t\\q\\x\\\\\n',
      '\\303\\244\t\\xc3\\xa4\n',
      '\\xff\tb\n',
      '\\000\tb\n',
      '\\0\tb\n',
      'a\\\tb\tc\n',
      'a\\\nb\tc\n',
      'a\\\\\tb\n',
      'a\\\r\nb\tc\n',
      'a\tb\\',
      'a\tb\n\\.\n',
      'a\tb\n\\.\nc\td\n',
      'a\tb\n\\.',
      '\\.\n',
      'a\tb\\.\n',
      'a\tb\n\\.x\n',
      'a\tb\n\\.\r\n',
      'a\tb\r\n\\.\r\n',
      'a\tb\r\n\\.\n',
      'a\tb\r\n\\.\rx',
      'a\tb\r\\.\r',
      'a\tb\r\\.\n',
      '\\.\r\n',
      'a\n',
      'a\tb\tc\n',
      '\n',
      '\t\n',
      '',
      'a\tb\n\n',
      'a\u0000\tb\n',
      'ä😀\t–\n',
      '"a"\t"b\n',
      ' a \t b \n',
    ],
  ],
  ["delimiter ','", ['a,b\n', 'a\\,b,c\n', 'a\\\\,b\n', 'a\\\\\\,b,c\n', '\\N,\\N\n', 'a\tb,c\n']],
  ["null ''", ['\t\n', '\\N\tb\n']],
  ["null 'x'", ['x\tb\n', '\\x\tb\n', '\\x78\tb\n', 'xx\tx\n']],
  ['header', ['h\ti\na\tb\n', 'a\tb\n', 'only\na\tb\n', '', 'h']],
  ['header match', ['a\tb\n1\t2\n', 'a\tc\n', 'a\n', 'A\tb\n', '\\N\tb\n', 'a\tb\tc\n', '']],
  [
    'format csv',
    [
      'a,b\n',
      'a,b',
      '"a","b"\r\n"c","d"\r\n',
      '"a\nb","c\r\nd"\n',
      '"a""b",c\n',
      'a"b"c,d\n',
      '"a"b"c",d\n',
      '"a" , b\n',
      'a,"b\n',
      'a,"b',
      ',\n',
      '"",""\n',
      '\n',
      'a\n',
      'a,b,c\n',
      '\\N,\\t\n',
      '\\.\n',
      'a,b\n\\.\nc,d\n',
      'a,b\n\\.x,y\n',
      'a,b\n\\.',
      '"a\n\\.\nb",c\n',
      '"\\.",b\n',
      'a\rb,c\n',
      'a,b\nc\rd,e\n',
      'a,b\r\nc,d\n',
      'a,b\rc,d\ne\n',
      '"a\rb",c\nd,e\n',
      'ä,"😀\n–"\n',
      '"""",""""""\n',
      '"a",\n',
      '\\\\,"\\"\n',
    ],
  ],
  [
    "format csv, escape '\\'",
    [
      '"a\\"b",c\n',
      '"a\\\\",c\n',
      '"a\\b",c\n',
      '"a\\\\\\"b",c\n',
      'a\\,b\n',
      '"a\n\\"b",c\n',
      '"a\\',
      '"a""b",c\n',
      '\\.\n',
    ],
  ],
  [
    `format csv, quote '''', delimiter ';', null 'NULL'`,
    ["'a;b';NULL\n", "NULL;'NULL'\n", "'it''s';\n"],
  ],
  ['format csv, force_null (a, b)', ['"",""\n', ',\n']],
  ['format csv, force_not_null (a)', [',\n', '"",""\n']],
  ['format csv, header match', ['a,b\n1,2\n', '"a","b"\n1,2\n', 'b,a\n', ',b\n']],
  ["format csv, null 'x', force_null (a, b)", ['"x",x\n']],
]

describePostgres('COPY beside PostgreSQL', () => {
  let client: Client

  beforeAll(async () => {
    await loadParser()
    client = new Client({ connectionString: await createDatabase('copy') })
    await client.connect()
    await client.query('create table pairs (a text, b text)')
    await client.query('create table single (a text)')
    await client.query('create temp table target (a text, b text)')
    for (const [index, value] of awkward.entries()) {
      await client.query('insert into pairs values ($1, $2)', [value, awkward.at(-index)])
      await client.query('insert into single values ($1)', [value])
    }
    await client.query('insert into pairs values (null, null), (null, $1)', ['x'])
    await client.query('insert into single values (null)')
  })
  afterAll(() => client.end())

  describe('what is written is the same, message for message', () => {
    test.each(outOptions)('%s', async (options) => {
      for (const table of ['pairs', 'single']) {
        if (table === 'single' && options.includes('(b)')) continue
        const sql = `copy ${table} to stdout${options === '' ? '' : ` (${options})`}`
        const expected = await copyWithPostgres(client, sql)
        const { rows } = await client.query<CopyCell[]>({
          text: `table ${table}`,
          rowMode: 'array',
        })
        const columns = table === 'pairs' ? ['a', 'b'] : ['a']
        const encoder = createCopyEncoder(optionsOf(sql), columns)
        const messages = [encoder.start(), ...rows.map(encoder.row), encoder.end()].flatMap(
          (message) => (message === undefined ? [] : [Buffer.from(message as string)]),
        )
        expect(expected).toEqual({
          ok: true,
          messages: messages.map((message) => Uint8Array.from(message)),
        })
      }
    })

    test('without rows', async () => {
      for (const options of ['header', 'format binary', 'format csv, header']) {
        const expected = await copyWithPostgres(
          client,
          `copy (select 1 as "a,b" where false) to stdout (${options})`,
        )
        const encoder = createCopyEncoder(optionsOf(`copy t to stdout (${options})`), ['a,b'])
        const messages = [encoder.start(), encoder.end()].flatMap((message) =>
          message === undefined ? [] : [Uint8Array.from(Buffer.from(message as string))],
        )
        expect(expected).toEqual({ ok: true, messages })
      }
    })
  })

  describe('what is read is the same, wherever the pieces end', () => {
    const cases = inputs.flatMap(([options, data]) => data.map((text) => [options, text] as const))
    test.each(cases)('%s: %j', async (options, text) => {
      const sql = `copy target from stdin${options === '' ? '' : ` (${options})`}`
      const bytes = new TextEncoder().encode(text)
      const expected = await readByPostgres(sql, [bytes])
      expect(read(sql, [bytes])).toEqual(expected)
      expect(
        read(
          sql,
          [...bytes].map((byte) => Uint8Array.of(byte)),
        ),
      ).toEqual(expected)
    })

    test('bytes that are no UTF-8', async () => {
      for (const bytes of [
        [0x61, 0xff, 0x09, 0x62, 0x0a],
        [0x61, 0xe4, 0x20, 0x09, 0x62, 0x0a],
        [0xc3, 0xa4, 0xed, 0xa0, 0x80, 0x09, 0x0a],
        [0xf5, 0x80, 0x80, 0x80, 0x0a],
        [0x61, 0x09, 0xf0, 0x9f, 0x98],
      ]) {
        const sql = 'copy target from stdin'
        const expected = await readByPostgres(sql, [Uint8Array.from(bytes)])
        expect(expected).toMatchObject({ code: '22021' })
        expect(read(sql, [Uint8Array.from(bytes)])).toEqual(expected)
        // How many bytes of an invalid sequence can be shown depends on where the pieces end.
        expect(
          read(
            sql,
            bytes.map((byte) => Uint8Array.of(byte)),
          ),
        ).toMatchObject({ code: '22021' })
      }
    })

    test('binary data, whole and broken', async () => {
      const whole = await copyWithPostgres(client, 'copy pairs to stdout (format binary)')
      if (!whole.ok) throw new Error(whole.error.message)
      const bytes = Uint8Array.from(Buffer.concat(whole.messages))
      const sql = 'copy target from stdin (format binary)'
      const broken = [
        bytes,
        bytes.subarray(0, bytes.length - 2),
        bytes.subarray(0, bytes.length - 1),
        bytes.subarray(0, 10),
        bytes.subarray(0, 13),
        bytes.subarray(0, 17),
        bytes.subarray(0, 19),
        bytes.subarray(0, 21),
        bytes.subarray(0, 24),
        bytes.subarray(0, 27),
        bytes.with(0, 0),
        bytes.with(12, 1),
        bytes.with(13, 1),
        bytes.with(14, 1),
        bytes.with(20, 3),
        bytes.with(21, 0xff),
        bytes.with(21, 0xff).with(22, 0xff).with(23, 0xff).with(24, 0xfe),
        bytes.with(18, 3),
        Uint8Array.from([...bytes, 1]),
        new Uint8Array(0),
      ]
      for (const [index, data] of broken.entries()) {
        const expected = await readByPostgres(sql, [data])
        expect(read(sql, [data]), `case ${index}`).toEqual(expected)
        expect(
          read(
            sql,
            [...data].map((byte) => Uint8Array.of(byte)),
          ),
        ).toEqual(expected)
      }
    })
  })

  describe('options', () => {
    test.each([
      "copy target from stdin (delimiter 'ab')",
      "copy target from stdin (delimiter 'a')",
      "copy target from stdin (delimiter '')",
      "copy target from stdin (delimiter E'\\n')",
      "copy target from stdin (delimiter 'ä')",
      "copy target from stdin (null E'a\\nb')",
      "copy target from stdin (null E'a\\tb')",
      "copy target from stdin (format csv, null 'a\"')",
      'copy target from stdin (format xml)',
      'copy target from stdin (format csv, format csv)',
      'copy target from stdin (nonsense)',
      "copy target from stdin (format csv, delimiter '\"')",
      "copy target from stdin (quote 'x')",
      "copy target from stdin (escape 'x')",
      "copy target from stdin (format csv, quote 'xy')",
      "copy target from stdin (format csv, escape '')",
      'copy target from stdin (format binary, header)',
      "copy target from stdin (format binary, delimiter ',')",
      "copy target from stdin (format binary, null '')",
      'copy target from stdin (format csv, force_quote *)',
      'copy target to stdout (format csv, force_null (a))',
      'copy target to stdout (format csv, force_not_null (a))',
      'copy target to stdout (force_quote (a))',
      'copy target to stdout (header match)',
      'copy target to stdout (header 2)',
      'copy target to stdout (header maybe)',
      'copy target from stdin (format)',
      'copy target from stdin (format csv, force_null 1)',
    ])('%s is refused in the same words', async (sql) => {
      const expected = await copyWithPostgres(client, sql)
      if (expected.ok) throw new Error('PostgreSQL takes it')
      expect(failureOf(() => optionsOf(sql))).toEqual(expected.error)
    })

    test.each([
      'copy target to stdout csv header',
      "copy target to stdout with delimiter as ';' null as 'x' csv quote as '|' escape as '!' force quote a, b",
      "copy target from stdin using delimiters ','",
      'copy binary target to stdout',
      'copy target from stdin with csv force not null a force null b',
      "copy target to stdout (header 'on')",
      'copy target to stdout (header 0, encoding utf8)',
      'copy target to stdout (format csv, header false, force_quote (a))',
    ])('%s is understood', async (sql) => {
      await client.query('begin')
      const outcome = await copyWithPostgres(client, sql)
      await client.query('rollback')
      expect(outcome).toMatchObject({ ok: true })
      expect(optionsOf(sql)).toMatchSnapshot()
    })
  })

  /** The rows that PostgreSQL has afterwards, or its error. */
  async function readByPostgres(sql: string, data: readonly Uint8Array[]) {
    await client.query('truncate target')
    const outcome = await copyWithPostgres(client, sql, data)
    if (!outcome.ok) return outcome.error
    return (await client.query<CopyCell[]>({ text: 'table target', rowMode: 'array' })).rows
  }

  function read(sql: string, data: readonly Uint8Array[]) {
    try {
      const copy = optionsOf(sql)
      const decoder = createCopyDecoder({
        copy,
        table: { name: 'target', allColumns: ['a', 'b'] },
        columns: ['a', 'b'],
        maxRowSize: 10_000,
      })
      const rows = [...data.flatMap((piece) => decoder.push(piece)), ...decoder.end()]
      return rows.map(({ cells }) =>
        cells.map((cell) => (cell instanceof Uint8Array ? Buffer.from(cell).toString() : cell)),
      )
    } catch (error) {
      if (error instanceof GatewayError)
        return { code: error.sqlState, message: error.message, where: error.details?.['context'] }
      throw error
    }
  }
})

function failureOf(action: () => unknown): CopyFailure | undefined {
  try {
    action()
    return undefined
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    return { code: error.sqlState ?? '', message: error.message, position: error.position }
  }
}
