/**
 * @module Every type of a column that Engine can write, with values that it keeps, values that it rounds as PostgreSQL does, and values
 * that it refuses. The tests run each on every path of `write-paths.ts` and `read-paths.ts`.
 */
import * as fc from 'fast-check'

export type DatabaseKind = 'postgres' | 'mysql' | 'mariadb' | 'sqlite'

/** A type of a column. Values are texts as PostgreSQL reads them. */
export interface StoredType {
  /** Unique; in the names of failures. */
  readonly name: string
  /** PostgreSQL's type, whose value is expected: `timestamp(3)`. */
  readonly type: string
  /** The declaration by kind of database; a kind without one does not have the type. */
  readonly columns: Readonly<Partial<Record<DatabaseKind, string>>>
  /** They are stored as PostgreSQL's type stores them, or rounds them. */
  readonly values: readonly string[]
  /** Every path refuses them, and stores nothing. */
  readonly refused: readonly string[]
  /** More values, drawn with a seed. */
  readonly random?: fc.Arbitrary<string>
}

type Columns = StoredType['columns']

/** MariaDB and MySQL. */
function both(declaration: string): Columns {
  return { mysql: declaration, mariadb: declaration }
}

function everywhere(type: string, onMysql = type, onSqlite = type): Columns {
  return { postgres: type, ...both(onMysql), sqlite: onSqlite }
}

function integers(
  name: string,
  type: string,
  columns: Columns,
  low: bigint,
  high: bigint,
): StoredType {
  const edges = [low, low + 1n, 0n, 1n, high - 1n, high]
  return {
    name,
    type,
    columns,
    values: edges.map(String),
    refused: [String(low - 1n), String(high + 1n), 'x', ''],
    random: fc.bigInt(low, high).map(String),
  }
}

const digits = (least: number, most: number): fc.Arbitrary<string> =>
  fc.stringMatching(new RegExp(`^[0-9]{${least},${most}}$`))

/** At most so many digits before and after the point. */
function decimals(whole: number, fraction: number): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom('', '-'), digits(1, whole), digits(1, fraction))
    .map(([sign, before, after]) => `${sign}${before}.${after}`)
}

const dates = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-30'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))

const clocks = fc
  .tuple(fc.nat(23), fc.nat(59), fc.nat(59), fc.nat(999_999))
  .map(([hour, minute, second, micros]) => {
    const clock = [hour, minute, second].map((part) => String(part).padStart(2, '0')).join(':')
    return `${clock}.${String(micros).padStart(6, '0')}`
  })

const moments = fc.tuple(dates, clocks).map((parts) => parts.join(' '))

/** Seconds that every database has. */
const recent = fc
  .tuple(fc.integer({ min: 1, max: 2_147_483_645 }), fc.nat(999_999))
  .map(([seconds, micros]) => {
    const [date = ''] = new Date(seconds * 1000).toISOString().split('.')
    return `${date.replace('T', ' ')}.${String(micros).padStart(6, '0')}+00`
  })

const bytes = (length: number): fc.Arbitrary<string> =>
  fc
    .uint8Array({ minLength: length, maxLength: length })
    .map((array) => `\\x${Buffer.from(array).toString('hex')}`)

const texts = (length: number): fc.Arbitrary<string> =>
  fc
    .string({ unit: 'binary', maxLength: length })
    .map((text) => text.replaceAll('\0', '0').slice(0, length))
    .filter((text) => text.isWellFormed())

const roundedTimes = [
  '23:00:00',
  '00:00:00',
  '24:00:00',
  '23:59:59.5',
  '23:59:59.9995',
  '23:59:59.999999',
  '10:11:12.123456',
  '10:11:12.5',
  '10:11:12.4995',
  '00:00:00.000001',
  '10:11',
]
const wrongTimes = ['24:00:01', '24:00:00.000001', '25:00', '-01:00:00', '838:59:59', 'x', '']

function times(precision: number): StoredType {
  const type = `time(${precision})`
  return {
    name: type,
    type,
    columns: everywhere(type),
    values: roundedTimes,
    refused: wrongTimes,
    random: clocks,
  }
}

const roundedMoments = [
  '2024-02-29 10:11:12.500',
  '2024-12-31 23:59:59.9995',
  '2024-02-28 23:59:59.5',
  '1999-12-31 23:59:59.9995',
  '1999-12-31 23:59:59.999501',
  '1969-12-31 23:59:59.5',
  '0001-01-01 00:00:00',
  '9999-12-31 23:59:59',
  '2024-01-15 23:00:00.000001',
  '2024-01-15 10:30:00.123456',
  '2024-01-15T10:30:00',
  '2024-01-15',
  '1582-10-10 00:00:00.5',
]

function timestamps(precision: number, columns: Columns): StoredType {
  const type = `timestamp(${precision})`
  return {
    name: type,
    type,
    columns,
    values: roundedMoments,
    refused: ['2024-02-30 00:00:00', '2024-01-15 25:00:00', '0000-00-00 00:00:00', 'x', ''],
    random: moments,
  }
}

const zonedMoments = [
  '2024-02-29 10:11:12.500+00',
  '2024-12-31 23:59:59.9995+00',
  '1999-12-31 23:59:59.9995+00',
  '1970-01-01 00:00:01+00',
  '2038-01-19 03:14:07+00',
  '2024-07-01 12:00:00+05:30',
  '2024-03-10T02:30:00.25-05',
  '2024-01-15 23:00:00.000001+00',
]

function zoned(precision: number, columns: Columns, refused: readonly string[] = []): StoredType {
  const type = `timestamptz(${precision})`
  return {
    name: refused.length === 0 ? type : `${type} of 32 bits`,
    type,
    columns,
    values: zonedMoments,
    refused: ['2024-02-30 00:00:00+00', 'x', ...refused],
    random: recent,
  }
}

const outOf32Bits = [
  '1970-01-01 00:00:00+00',
  '1969-12-31 23:59:59+00',
  '2038-01-19 03:14:08+00',
  '2038-01-19 03:14:07.9999999+00',
  '0001-01-01 00:00:00+00',
]

/** What a year of 1 to 9999 does not reach. */
const farMoments = ['infinity', '-infinity', '10000-01-01', '0044-03-15 BC']

/** Lists in lists, this deep. */
function nested(depth: number): string {
  return `${'['.repeat(depth)}${']'.repeat(depth)}`
}

const documents = [
  '{"a": 1, "b": [true, false, null], "c": {"d": {}}}',
  '[1, 2.5, "x", -0.25]',
  'null',
  '"text"',
  '"é😀 \\" \\\\ \\n \\u00e9 \'"',
  '{"b":1,"a":2,"a":3}',
  '{"": 1, "A": 1, "a": 2, "é": 3, "long key": 4}',
  '[]',
  '9007199254740993',
  '-9223372036854775808',
  '1e2',
  '0.1',
  nested(30),
]
const wrongDocuments = ['{', '"\\u0000"', '{"a":"\\u0000"}', '', 'nan', '[1,]', "{'a':1}"]
const wideDocuments = ['18446744073709551615', '5e-324']
/** More digits than a double has. */
const exactDocuments = [
  '12345678901234567890.5',
  '[0.1000000000000000055511151231257827]',
  '{"n": -123456789012345678901234567890}',
]

const someTexts = [
  'plain',
  '',
  ' blanks at both ends  ',
  'é😀ß∂\u{10ffff}',
  `it's "quoted" \`so\``,
  'back\\slash \\n \\0 % _ \\%',
  'line\nbreak\r\ttab \u001a \u0008',
  'NULL',
  'e\u0301',
  '{"a": 1}',
]

/** All types, whatever databases have them. */
export const storedTypes: readonly StoredType[] = [
  {
    name: 'boolean',
    type: 'boolean',
    columns: everywhere('boolean', 'tinyint(1)'),
    values: ['true', 'false', 'yes', '0'],
    refused: ['2', 'maybe', ''],
  },
  {
    name: 'bit(1)',
    type: 'boolean',
    columns: both('bit(1)'),
    values: ['true', 'false'],
    refused: ['2', 'maybe'],
  },
  integers('tinyint', 'smallint', both('tinyint'), -128n, 127n),
  integers('tinyint unsigned', 'smallint', both('tinyint unsigned'), 0n, 255n),
  integers('smallint', 'smallint', everywhere('smallint'), -32_768n, 32_767n),
  integers('smallint unsigned', 'integer', both('smallint unsigned'), 0n, 65_535n),
  integers('mediumint', 'integer', both('mediumint'), -8_388_608n, 8_388_607n),
  integers('mediumint unsigned', 'integer', both('mediumint unsigned'), 0n, 16_777_215n),
  integers('integer', 'integer', everywhere('integer'), -(2n ** 31n), 2n ** 31n - 1n),
  integers('int unsigned', 'bigint', both('int unsigned'), 0n, 2n ** 32n - 1n),
  integers('bigint', 'bigint', everywhere('bigint'), -(2n ** 63n), 2n ** 63n - 1n),
  integers('bigint unsigned', 'numeric(20,0)', both('bigint unsigned'), 0n, 2n ** 64n - 1n),
  {
    name: 'year',
    type: 'smallint',
    columns: both('year'),
    values: ['1901', '2155', '0', '2024'],
    refused: ['1900', '2156', '-1', '1', '24', '70', '99', '100'],
    random: fc.integer({ min: 1901, max: 2155 }).map(String),
  },
  {
    name: 'numeric(10,2)',
    type: 'numeric(10,2)',
    columns: everywhere('numeric(10,2)'),
    values: [
      '0.005',
      '-0.005',
      '99999999.99',
      '-99999999.994',
      '0',
      '-0.001',
      '1e3',
      '12.5',
      '2.675',
    ],
    refused: ['99999999.995', '100000000', 'NaN', 'x', ''],
    random: decimals(8, 4).filter((text) => Math.abs(Number(text)) < 99_999_999.99),
  },
  {
    name: 'numeric(5,0)',
    type: 'numeric(5,0)',
    columns: everywhere('numeric(5,0)'),
    values: ['2.5', '-2.5', '0.5', '99999.4', '-99999', '1.49999999999999999999'],
    refused: ['99999.5', '100000'],
  },
  {
    name: 'numeric(15,4)',
    type: 'numeric(15,4)',
    columns: everywhere('numeric(15,4)'),
    values: ['12345678901.2345', '-99999999999.9999', '0.00005', '0.0001'],
    refused: ['100000000000', '99999999999.99995'],
    random: decimals(11, 4),
  },
  {
    name: 'decimal(65,30)',
    type: 'numeric(65,30)',
    columns: { postgres: 'numeric(65,30)', ...both('decimal(65,30)') },
    values: [
      '99999999999999999999999999999999999.999999999999999999999999999999',
      '-12345678901234567890123456789012345.123456789012345678901234567890',
      '0.000000000000000000000000000001',
      '0.1',
      '0',
    ],
    refused: ['100000000000000000000000000000000000'],
    random: decimals(35, 30),
  },
  {
    name: 'decimal unsigned',
    type: 'numeric(10,2)',
    columns: both('decimal(10,2) unsigned'),
    values: ['0', '99999999.99', '0.005', '-0.001'],
    refused: ['-0.01', '100000000'],
  },
  {
    name: 'numeric text',
    type: 'numeric',
    columns: { postgres: 'numeric', sqlite: 'numeric text' },
    values: [
      '0.10',
      '-12345678901234567890123456789012345678901234567890.00100',
      '1e-30',
      '0',
      '100',
    ],
    refused: ['x', ''],
    random: decimals(40, 40),
  },
  {
    name: 'numeric of any size',
    type: 'numeric',
    columns: { sqlite: 'numeric' },
    values: ['0.1', '-123456789012.345', '100', '0'],
    refused: ['x', ''],
  },
  {
    name: 'numeric without limits',
    type: 'numeric',
    columns: { postgres: 'numeric' },
    values: ['NaN', `${'9'.repeat(200)}.${'1'.repeat(200)}`],
    refused: ['x'],
  },
  {
    name: 'real',
    type: 'real',
    columns: { postgres: 'real', ...both('float') },
    values: [
      '3.4028235e38',
      '-3.4028235e38',
      '1.1754944e-38',
      '1e-45',
      '0.1',
      '0',
      '16777217',
      '-1e-10',
    ],
    refused: ['1e39', '1e-46', 'x', ''],
    random: fc.float({ noNaN: true, noDefaultInfinity: true }).map(String),
  },
  {
    name: 'double precision',
    type: 'double precision',
    columns: everywhere('double precision', 'double', 'double'),
    values: [
      '1.7976931348623157e308',
      '-1.7976931348623157e308',
      '2.2250738585072014e-308',
      '5e-324',
      '0.1',
      '0',
      '1e21',
      '123456789012345678',
      '-1e-300',
      '0.30000000000000004',
    ],
    refused: ['1e309', '1e-400', 'x', ''],
    random: fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  },
  {
    // SQLite stores it as the integer 0.
    name: 'negative zero',
    type: 'double precision',
    columns: { postgres: 'double precision', ...both('double') },
    values: ['-0', '1'],
    refused: ['x'],
  },
  {
    name: 'floats without infinity',
    type: 'double precision',
    columns: both('double'),
    values: ['1'],
    refused: ['Infinity', '-Infinity', 'NaN'],
  },
  {
    name: 'floats with infinity',
    type: 'double precision',
    columns: { postgres: 'double precision', sqlite: 'real' },
    values: ['Infinity', '-Infinity', '1'],
    refused: ['1e309'],
  },
  {
    name: 'date',
    type: 'date',
    columns: everywhere('date'),
    values: ['0001-01-01', '9999-12-31', '2024-02-29', '1582-10-10', '1970-01-01', '2000-01-01'],
    refused: ['2023-02-29', '0000-00-00', '2024-13-01', '2024-00-01', 'x', ''],
    random: dates,
  },
  {
    name: 'dates of four digits',
    type: 'date',
    columns: both('date'),
    values: ['2024-01-01'],
    refused: farMoments,
  },
  ...[0, 3, 5, 6].map(times),
  ...[0, 3, 6].map((digits) =>
    timestamps(digits, everywhere(`timestamp(${digits})`, `datetime(${digits})`)),
  ),
  {
    name: 'timestamps of four digits',
    type: 'timestamp(3)',
    columns: both('datetime(3)'),
    values: ['9999-12-31 23:59:59.999499', '2024-01-01'],
    refused: [...farMoments, '9999-12-31 23:59:59.9995'],
  },
  ...[0, 3, 6].map((digits) => zoned(digits, both(`timestamp(${digits}) null`), outOf32Bits)),
  ...[0, 3, 6].map((digits) =>
    zoned(digits, { postgres: `timestamptz(${digits})`, sqlite: `timestamptz(${digits})` }),
  ),
  {
    name: 'jsonb',
    type: 'jsonb',
    columns: everywhere('jsonb', 'json', 'json'),
    values: documents,
    refused: wrongDocuments,
    random: fc
      .json({ maxDepth: 3 })
      .filter((text) => !text.includes('\\u0000') && !/^-?\d/.test(text)),
  },
  {
    name: 'jsonb of 64 bits',
    type: 'jsonb',
    columns: { postgres: 'jsonb', ...both('json') },
    values: wideDocuments,
    refused: wrongDocuments,
  },
  {
    name: 'jsonb of text',
    type: 'jsonb',
    columns: { postgres: 'jsonb', mariadb: 'json' },
    values: exactDocuments,
    refused: wrongDocuments,
  },
  {
    name: 'jsonb of any depth',
    type: 'jsonb',
    columns: { postgres: 'jsonb', mysql: 'json', sqlite: 'json' },
    values: [nested(100)],
    refused: wrongDocuments,
  },
  {
    // JSON_VALID follows no more.
    name: 'json of 32 levels',
    type: 'jsonb',
    columns: { mariadb: 'json' },
    values: ['[]'],
    refused: [nested(33), nested(100)],
  },
  {
    name: 'json of doubles',
    type: 'jsonb',
    columns: { mysql: 'json' },
    values: ['1.5'],
    refused: exactDocuments,
  },
  {
    name: 'json with numeric affinity',
    type: 'jsonb',
    columns: { sqlite: 'json' },
    values: ['1.5', '[18446744073709551615, 0.1000000000000000055511151231257827]'],
    refused: [...wideDocuments, '12345678901234567890.5'],
  },
  {
    name: 'json',
    type: 'json',
    columns: { postgres: 'json' },
    values: [...documents, ...exactDocuments],
    refused: ['{', ''],
  },
  {
    name: 'enum',
    type: 'text',
    columns: both("enum('a', 'B', 'é', 'two words', '3')"),
    values: ['a', 'B', 'é', 'two words', '3'],
    refused: ['A', 'b', 'e', 'a ', 'x', '1', '0', ''],
  },
  {
    name: 'set',
    type: 'text',
    columns: both("set('x', 'y', 'z')"),
    values: ['', 'x', 'x,z', 'x,y,z'],
    refused: ['z,x', 'x,x', 'X', 'x,', 'w', '1', 'x ', ' '],
  },
  {
    name: 'char(5)',
    type: 'char(5)',
    columns: everywhere('char(5)'),
    values: ['abc', '', 'ab   ', '😀é😀é😀', 'abcde', 'abcde   ', '  a', 'É'],
    refused: ['abcdef', '😀é😀é😀é'],
    random: texts(5),
  },
  {
    name: 'varchar(5)',
    type: 'varchar(5)',
    columns: everywhere('varchar(5)'),
    values: ['abcde', '😀é😀é😀', 'a  ', '', 'É', 'abcde   '],
    refused: ['abcdef', '😀é😀é😀é', 'abcde f'],
    random: texts(5),
  },
  {
    name: 'varchar of latin1',
    type: 'text',
    columns: both('varchar(20) character set latin1'),
    values: ['é€ß', 'plain', 'a  ', ''],
    refused: ['😀', 'ł', 'x'.repeat(21)],
  },
  {
    name: 'varchar of utf8mb3',
    type: 'text',
    columns: both('varchar(20) character set utf8mb3'),
    values: ['é€ßł', 'plain', '\uffee'],
    refused: ['😀'],
  },
  {
    name: 'text',
    type: 'text',
    columns: everywhere('text', 'mediumtext'),
    values: [...someTexts, 'long '.repeat(20_000)],
    refused: ['a\0b'],
    random: texts(50),
  },
  {
    name: 'tinytext',
    type: 'text',
    columns: both('tinytext'),
    values: ['é'.repeat(127), ''],
    refused: ['x'.repeat(256), 'é'.repeat(128)],
  },
  {
    name: 'text without case',
    type: 'text',
    columns: both('varchar(50) collate utf8mb4_unicode_ci'),
    values: someTexts,
    refused: ['a\0b', 'x'.repeat(51)],
    random: texts(50),
  },
  {
    name: 'bytea',
    type: 'bytea',
    columns: everywhere('bytea', 'mediumblob', 'blob'),
    values: ['\\x', '\\x00', '\\x00ff5c27', '\\xc3a9', '\\xDEAD', `\\x${'ab'.repeat(70_000)}`],
    refused: ['\\x0', '\\xzz'],
    random: fc.nat(20).chain(bytes),
  },
  {
    name: 'varbinary(4)',
    type: 'bytea',
    columns: both('varbinary(4)'),
    values: ['\\x', '\\x00', '\\xab00', '\\xdeadbeef', '\\x2020'],
    refused: ['\\xdeadbeef00', '\\xdeadbeef20'],
    random: fc.nat(4).chain(bytes),
  },
  {
    name: 'binary(4)',
    type: 'bytea',
    columns: both('binary(4)'),
    values: ['\\xdeadbeef', '\\x00000000', '\\x20202020', '\\xab000000'],
    refused: ['\\xdeadbeef00', '\\xab', '\\x', '\\xabcdef'],
    random: bytes(4),
  },
  {
    name: 'bit(12)',
    type: 'bytea',
    columns: both('bit(12)'),
    values: ['\\x0801', '\\x0fff', '\\x0000'],
    refused: ['\\x1000', '\\xff', '\\x', '\\x000801', '\\x31'],
  },
  {
    name: 'bit(64)',
    type: 'bytea',
    columns: both('bit(64)'),
    values: ['\\xffffffffffffffff', '\\x8000000000000000', '\\x0000000000000001'],
    refused: ['\\x00', '\\xffffffffffffffff00'],
    random: bytes(8),
  },
  {
    name: 'uuid',
    type: 'uuid',
    columns: { postgres: 'uuid', mysql: 'char(36)', mariadb: 'uuid', sqlite: 'uuid' },
    values: [
      'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11',
      '00000000-0000-0000-0000-000000000000',
      '{a0eebc999c0b4ef8bb6d6bb9bd380a11}',
    ],
    refused: ['a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a1', 'x', ''],
    random: fc.uuid({ version: [1, 4, 7] }),
  },
  {
    name: 'inet6',
    type: 'text',
    columns: { mariadb: 'inet6' },
    values: ['::1', '2001:db8::ff00:42:8329', '::'],
    refused: ['x', '', '2001:DB8::1', '2001:0db8::1', '0:0:0:0:0:0:0:1'],
  },
  {
    name: 'inet4',
    type: 'text',
    columns: { mariadb: 'inet4' },
    values: ['127.0.0.1', '255.255.255.255', '0.0.0.0'],
    refused: ['x', '', '256.0.0.1', '127.0.0.01'],
  },
]
