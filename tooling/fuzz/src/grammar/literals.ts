/** @module Constants and parameters of every type, ordinary values and edge values. */
import type { JsonValue } from '@engine/corpus'
import type { Random } from '../random.ts'
import { groupOf, type Tree } from '../tree/tree.ts'
import type { TypeName } from './types.ts'

/** Texts of values, as PostgreSQL reads them. The first is the plainest. */
export const sampleTexts: Readonly<Record<TypeName, readonly string[]>> = {
  bool: ['true', 'false'],
  int2: ['1', '0', '2', '7', '-3', '32767', '-32768'],
  int4: ['1', '0', '2', '3', '4', '5', '10', '-1', '-7', '100', '2147483647', '-2147483648'],
  int8: ['1', '0', '2', '12', '-5', '3000000000', '9007199254740993', '9223372036854775807'],
  float8: ['1', '0', '0.5', '-2.25', '1e10', '1e-7', '3.75', '1e300', 'NaN', 'Infinity'],
  numeric: ['1', '0', '0.5', '1.25', '-3.75', '10.00', '99.99', '0.001', '12345678901234567890.5'],
  text: [
    'a',
    'b',
    'A',
    'ab',
    '',
    ' a',
    'a ',
    'Zoë',
    'ß',
    '10',
    '2',
    '-5',
    'x%y',
    'a_b',
    'a\\b',
    "o'k",
  ],
  uuid: [
    '00000000-0000-4000-8000-000000000001',
    '00000000-0000-4000-8000-000000000002',
    'f47ac10b-58cc-4372-a567-0e02b2c3d479',
  ],
  date: ['2024-01-31', '2024-02-29', '2023-12-31', '1999-01-01', '2024-03-10', '0044-03-15'],
  time: ['10:00:00', '00:00:00', '23:59:59.999999', '12:30:15.5'],
  timestamp: [
    '2024-01-31 10:00:00',
    '2024-02-29 23:59:59.999999',
    '1999-12-31 00:00:00',
    '2024-01-31 10:00:00.5',
  ],
  timestamptz: ['2024-01-31 10:00:00+00', '2024-01-31 12:00:00+02', '1999-12-31 00:00:00+00'],
  interval: ['1 day', '0', '1 mon', '30 days', '-2 hours', '1 year 2 mons 3 days 04:05:06.5'],
  bytea: ['\\x01', '\\x', '\\x00ff', '\\xdeadbeef'],
  json: ['{"a": 1}', '[1, 2]', '"a"', 'null', '{"a": {"b": [true]}}', '{"b":1,"a":2,"b":3}'],
  jsonb: [
    '{"a": 1}',
    '[1, 2]',
    '"a"',
    'null',
    '{"a": {"b": [true]}, "c": null}',
    '1.50',
    '{"b": "x"}',
    '[]',
  ],
  'int4[]': ['{1,2}', '{}', '{3,NULL,1}', '{2}', '{1,2,3,4}'],
  'text[]': ['{a,b}', '{}', '{NULL,""}', '{"a b",c}'],
  // In an order that differs from that of their texts; see `moodSql`.
  mood: ['b', 'A', "o'k", 'a', 'ab'],
}

/** A text of a value. Extreme values are rare. */
export function sampleText(random: Random, type: TypeName): string {
  const samples = sampleTexts[type]
  const last = samples.length - 1
  return samples[random.chance(85) ? Math.min(last, random.integer(0, 5)) : last] ?? ''
}

/** A constant in SQL. */
export function literal(random: Random, type: TypeName): Tree {
  return groupOf(`e:${type}`, [literalText(random, type)])
}

/** A value that the client sends as a parameter. */
export function parameter(random: Random, type: TypeName): Tree {
  const text = sampleText(random, type)
  return groupOf(`e:${type}`, [{ kind: 'value', value: jsonOf(text, type), type: type }])
}

/** NULL and the simplest constant: any expression of the type may shrink to them. */
export function simplest(sort: string): readonly Tree[] {
  if (!sort.startsWith('e:')) return []
  const type = sort.slice(2) as TypeName
  const [plainest = ''] = sampleTexts[type] ?? []
  return [groupOf(sort, [spelled(plainest, type)]), groupOf(sort, [`null::${type}`])]
}

export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

function literalText(random: Random, type: TypeName): string {
  if (random.chance(4)) return `null::${type}`
  const text = sampleText(random, type)
  if (type === 'text' && random.chance(50)) return quoted(text)
  if (type === 'text' && random.chance(5)) return `U&'\\0061b'`
  if (type === 'text' && random.chance(5)) return `E'a\\nb'`
  if (hasKeyword.includes(type) && random.chance(40)) return `${type} ${quoted(text)}`
  return spelled(text, type)
}

const hasKeyword: readonly TypeName[] = [
  'date',
  'time',
  'timestamp',
  'timestamptz',
  'interval',
  'jsonb',
]

function spelled(text: string, type: TypeName): string {
  if (type === 'bool') return text
  if (type === 'int4') return text.startsWith('-') ? `(${text})` : text
  if (type === 'numeric' && /^\d+\.\d+$/.test(text)) return text
  return `${quoted(text)}::${type}`
}

function jsonOf(text: string, type: TypeName): JsonValue {
  switch (type) {
    case 'bool':
      return text === 'true'
    case 'int2':
    case 'int4':
      return Number(text)
    case 'float8':
      return Number.isFinite(Number(text)) ? Number(text) : text
    default:
      return text
  }
}
