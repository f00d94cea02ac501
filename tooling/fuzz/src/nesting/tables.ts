/** @module Two tables with a column of each common type, as each kind of database describes its columns. */

import type { DatabaseKind } from '@engine/core'
import type { IntrospectedTable } from '@engine/core/adapter'
import { builtinTypes, oids } from '@engine/core/catalog'

const columnTypes = [
  'int4',
  'int2',
  'int8',
  'float4',
  'float8',
  'numeric',
  'text',
  'varchar',
  'bpchar',
  'bool',
  'date',
  'time',
  'timestamp',
  'timestamptz',
  'interval',
  'uuid',
  'bytea',
  'json',
  'jsonb',
  '_int4',
  '_text',
] as const

const typeOids = new Map(builtinTypes.map(({ name, oid }) => [name, oid]))

/** The column of `item` and `part` that has a type; undefined where there is none. */
export function columnOfType(oid: number): string | undefined {
  const name = columnTypes.find((each) => typeOids.get(each) === oid)
  return name === undefined ? undefined : columnNamed(name)
}

function columnNamed(type: string): string {
  return type.startsWith('_') ? `c_${type.slice(1)}s` : `c_${type}`
}

type Column = IntrospectedTable['columns'][number]

/** Names of types in MySQL, for columns of types that it has. */
const mysqlTypes: Readonly<Record<string, string>> = {
  int4: 'int',
  int2: 'smallint',
  int8: 'bigint',
  float4: 'float',
  float8: 'double',
  numeric: 'decimal',
  text: 'longtext',
  varchar: 'varchar',
  bpchar: 'char',
  bool: 'tinyint',
  date: 'date',
  time: 'time',
  timestamp: 'datetime',
  timestamptz: 'timestamp',
  bytea: 'longblob',
  json: 'json',
  jsonb: 'json',
}

const texts: ReadonlySet<string> = new Set(['text', 'varchar', 'bpchar'])

function nativeOf(
  kind: DatabaseKind,
  type: string,
  isKey: boolean,
  isCanonical: boolean,
): Column['native'] {
  const isText = texts.has(type)
  switch (kind) {
    case 'mysql':
      return {
        dataType: mysqlTypes[type] ?? 'longtext',
        isUnsigned: false,
        charset: isText ? 'utf8mb4' : undefined,
        collation: isText ? 'utf8mb4_general_ci' : undefined,
        isBinaryCollation: false,
        fractionDigits: 6,
        isAutoIncrement: isKey,
        defaultExpression: undefined,
        uniqueIndexes: isKey ? ['PRIMARY'] : [],
        inHiddenUnique: false,
      }
    case 'postgres':
      return undefined
    default:
      return {
        affinity: isText ? 'text' : 'numeric',
        isRowidAlias: isKey,
        rowidName: 'rowid',
        isStrict: false,
        storesNull: false,
        isCanonical: isCanonical || isKey,
      }
  }
}

/** `numeric(10, 2)` */
const numericTypmod = ((10 << 16) | 2) + 4

function columnFor(
  kind: DatabaseKind,
  type: string,
  isCanonical: boolean,
  name = columnNamed(type),
): Column {
  const isKey = name === 'id'
  return {
    name,
    type: {
      oid: typeOids.get(type) ?? oids.text,
      typmod: type === 'numeric' ? numericTypmod : -1,
    },
    nullable: !isKey,
    hasDefault: isKey,
    generated: 'no',
    nativeType: '',
    nativeDefault: undefined,
    collation: undefined,
    native: nativeOf(kind, type, isKey, isCanonical),
    comment: undefined,
  }
}

/** @param isCanonical SQLite's columns contain only values of their types. */
export function tablesFor(kind: DatabaseKind, isCanonical: boolean): readonly IntrospectedTable[] {
  const table = (name: string): IntrospectedTable => ({
    schema: kind === 'mysql' || kind === 'postgres' ? 'public' : undefined,
    name,
    kind: 'table',
    comment: undefined,
    columns: [
      columnFor(kind, 'int4', isCanonical, 'id'),
      ...columnTypes.map((type) => columnFor(kind, type, isCanonical)),
    ],
    primaryKey: ['id'],
    uniqueKeys: [],
    foreignKeys: [],
  })
  return [table('item'), table('part')]
}
