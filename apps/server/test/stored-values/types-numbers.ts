/** @module Booleans and numbers. */
import * as fc from 'fast-check'
import { both, type Columns, everywhere, type StoredType } from './stored-type.ts'

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

export const numberTypes: readonly StoredType[] = [
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
    refused: ['99999999.995', '100000000', 'x', ''],
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
    refusedReads: {
      mysql: ['a cast to text', 'to_jsonb', 'json_agg', 'json_build_object'],
      mariadb: ['a cast to text', 'to_jsonb', 'json_agg', 'json_build_object'],
    },
    random: fc.float({ noNaN: true, noDefaultInfinity: true }).map(String),
  },
  {
    name: 'real of six digits',
    type: 'real',
    columns: { postgres: 'real', ...both('float') },
    values: ['0.1', '-2.5', '1e10', '123456', '0', '1.5e-30', '-3e38'],
    refused: ['1e39'],
    refusedReads: { mysql: ['a cast to text'], mariadb: ['a cast to text'] },
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
    // SQLite and MariaDB store it as 0.
    name: 'negative zero',
    type: 'double precision',
    columns: { postgres: 'double precision', mysql: 'double' },
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
    name: 'double(8,2)',
    type: 'double precision',
    columns: both('double(8,2)'),
    values: ['0', '1.25', '-999999.99', '0.1'],
    refused: ['1.255', '1000000', '0.001'],
  },
  {
    name: 'floats with infinity',
    type: 'double precision',
    columns: { postgres: 'double precision', sqlite: 'real' },
    values: ['Infinity', '-Infinity', '1'],
    refused: ['1e309'],
  },
]
