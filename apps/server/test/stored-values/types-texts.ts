/** @module Texts, and types that are texts for clients. */
import * as fc from 'fast-check'
import { both, everywhere, type StoredType } from './stored-type.ts'

const texts = (length: number): fc.Arbitrary<string> =>
  fc
    .string({ unit: 'binary', maxLength: length })
    .map((text) => text.replaceAll('\0', '0').slice(0, length))
    .filter((text) => text.isWellFormed())

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

export const textTypes: readonly StoredType[] = [
  {
    name: 'enum',
    type: 'text',
    columns: both("enum('a', 'B', 'é', 'two words', '3')"),
    values: ['a', 'B', 'é', 'two words', '3'],
    refused: ['A', 'b', 'e', 'a ', 'x', '1', '0', ''],
  },
  {
    name: 'enum with commas',
    type: 'text',
    columns: both("enum('a,b', 'a', '', 'it''s')"),
    values: ['a,b', 'a', '', "it's"],
    refused: ['A', 'b', 'a ', '1', 'a,B'],
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
  ...['text', 'longtext'].map(
    (declared): StoredType => ({
      name: `${declared} of MySQL`,
      type: 'text',
      columns: both(declared),
      values: ['é😀', '', 'blank '],
      refused: declared === 'text' ? ['x'.repeat(65_536)] : ['a\0b'],
    }),
  ),
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
