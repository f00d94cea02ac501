/** @module JSON. */
import * as fc from 'fast-check'
import { both, everywhere, type StoredType } from './stored-type.ts'

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
  '{"": 1, "A": 1, "a": 2, "é": 3, "long key": 4}',
  '[]',
  '9007199254740993',
  '-9223372036854775808',
  '1e2',
  '0.1',
]
const wrongDocuments = ['{', '"\\u0000"', '{"a":"\\u0000"}', '', 'nan', '[1,]', "{'a':1}"]
const wideDocuments = ['18446744073709551615']
/** More digits than a double has. */
const exactDocuments = [
  '12345678901234567890.5',
  '[0.1000000000000000055511151231257827]',
  '{"n": -123456789012345678901234567890}',
]

export const documentTypes: readonly StoredType[] = [
  {
    name: 'jsonb',
    type: 'jsonb',
    columns: everywhere('jsonb', 'json', 'json'),
    values: documents,
    refused: wrongDocuments,
    random: fc
      .json({ maxDepth: 3 })
      .filter((text) => !text.includes('\\u0000') && !/^-?\d|e[-+]/.test(text)),
  },
  {
    name: 'jsonb with equal keys, or deep',
    type: 'jsonb',
    columns: everywhere('jsonb', 'json', 'json'),
    values: ['{"b":1,"a":2,"a":3}', nested(30)],
    refused: wrongDocuments,
    refusedReads: { mariadb: ['a cast to text'] },
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
    values: [nested(60)],
    refused: wrongDocuments,
  },
  {
    // JSON_VALID follows no more.
    name: 'json of 32 levels',
    type: 'jsonb',
    columns: { mariadb: 'json' },
    values: ['[]'],
    refused: [nested(33), nested(60)],
  },
  {
    name: 'json of doubles',
    type: 'jsonb',
    columns: { mysql: 'json' },
    values: ['1.5'],
    refused: [...exactDocuments, '5e-324'],
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
]
