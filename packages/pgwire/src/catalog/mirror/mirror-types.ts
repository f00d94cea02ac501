/** @module Types that a connection defines, created again where its tables are mirrored. */

import type { PgType, TypeSystem, VisibleConnection } from '@engine/core/server'
import { unreachable } from '@engine/core/server'
import type { Oid, SqlType } from '@engine/core/values'
import { quoteName, quoteText } from './sql-text.ts'

/** The first OID that initdb assigns freely: OIDs below it are the same in every PostgreSQL. */
const firstFloatingOid = 12_000

/** The connection's own types that visible columns need, each after the types that it depends on. */
export function ownTypes({ types, tables }: VisibleConnection): readonly PgType[] {
  const found = new Map<Oid, PgType>()
  const seen = new Set<Oid>()
  const visit = (oid: Oid): void => {
    const type = types.typeByOid(oid)
    if (type === undefined || isBuiltin(type) || seen.has(oid)) return
    seen.add(oid)
    if (type.baseOid !== undefined) visit(type.baseOid)
    for (const attribute of type.attributes ?? []) visit(attribute.oid)
    if (type.elementOid === undefined) found.set(oid, type)
    else visit(type.elementOid)
  }
  for (const { columns } of tables) for (const { column } of columns) visit(column.type.oid)
  return [...found.values()]
}

/** How a column's type is written in the mirror: `"main"."mood"`, `character varying(20)[]`. */
export function typeName(connection: VisibleConnection, { oid, typmod }: SqlType): string {
  const { types } = connection
  const type = types.typeByOid(oid)
  if (type === undefined) return 'text'
  if (isBuiltin(type)) return types.formatType(oid, typmod)
  if (type.elementOid === undefined) return qualifiedName(connection, type)
  return `${typeName(connection, { oid: type.elementOid, typmod })}[]`
}

/** The same for connections whose own types could not be created: these columns are text. */
export function builtinTypeName({ types }: VisibleConnection, { oid, typmod }: SqlType): string {
  const type = types.typeByOid(oid)
  return type !== undefined && isBuiltin(type) ? types.formatType(oid, typmod) : 'text'
}

/**
 * Creates one type. A type of an extension becomes a type with the same name and OID that accepts any text, whatever
 * its text form is.
 */
export function createType(connection: VisibleConnection, type: PgType): string {
  const name = qualifiedName(connection, type)
  if (type.attributes !== undefined) {
    const attributes = type.attributes.map(
      (attribute) => `${quoteName(attribute.name)} ${typeName(connection, attribute)}`,
    )
    return `create type ${name} as (${attributes.join(', ')})`
  }
  switch (type.kind) {
    case 'enum':
      return `create type ${name} as enum (${(type.enumLabels ?? []).map(quoteText).join(', ')})`
    case 'domain':
      return [
        `create domain ${name} as ${domainBase(connection, type)}`,
        type.isNotNull === true ? ' not null' : '',
      ].join('')
    case 'base':
    case 'opaque':
    case 'composite':
    case 'pseudo':
      return textLikeType(connection, type, name)
    default:
      return unreachable(type.kind)
  }
}

/** Returns whether the type has the same OID in every PostgreSQL. */
function isBuiltin({ oid, schema }: PgType): boolean {
  return oid < firstFloatingOid && schema === undefined
}

function domainBase(connection: VisibleConnection, { baseOid, baseTypmod }: PgType): string {
  return typeName(connection, { oid: baseOid ?? 25, typmod: baseTypmod ?? -1 })
}

function qualifiedName(connection: VisibleConnection, type: PgType): string {
  return `${quoteName(connection.name)}.${quoteName(mirrorTypeName(connection, type))}`
}

/** The type's name; with its schema, `auth.mood`, where another schema has a type of that name which comes before. */
export function mirrorTypeName(
  { types }: VisibleConnection,
  { oid, name, schema }: PgType,
): string {
  const meant = types.typeByName(name)
  return meant === undefined || meant.oid === oid || meant.schema === undefined
    ? name
    : `${schema}.${name}`
}

/**
 * Uses the input and output functions of text, stored where `\\df` does not list them. The type casts to text
 * implicitly, so it compares like text: keys need that.
 */
function textLikeType(connection: VisibleConnection, type: PgType, qualified: string): string {
  const name = mirrorTypeName(connection, type)
  const internal = (kind: string) => `pg_catalog.${quoteName(`${connection.name}.${name}.${kind}`)}`
  const define = (kind: string, from: string, to: string) =>
    `create function ${internal(kind)}(${from}) returns ${to}
      language internal immutable strict parallel safe as 'text${kind}'`
  return [
    `create type ${qualified}`,
    define('in', 'cstring', qualified),
    define('out', qualified, 'cstring'),
    define('recv', 'internal', qualified),
    define('send', qualified, 'bytea'),
    `create type ${qualified} (input = ${internal('in')}, output = ${internal('out')},
      receive = ${internal('recv')}, send = ${internal('send')}, like = pg_catalog.text, collatable = true)`,
    `create cast (${qualified} as text) without function as implicit`,
  ].join(';\n')
}

/** OID of the array type over one of the connection's own types, where there is one. */
export function ownArrayOid(types: TypeSystem, type: PgType): Oid | undefined {
  return type.arrayOid ?? types.arrayTypeOid(type.oid)
}
