/** @module Types that a connection defines, created again where its tables are mirrored. */

import type { PgType } from '@engine/core/catalog'
import { unreachable } from '@engine/core/server'
import type { VisibleConnection } from '@engine/core/session'
import type { SqlType } from '@engine/core/values'
import { formOfType } from '../../values/form-of-type.ts'
import type { CatalogNumbers } from '../catalog-numbers.ts'
import { isBuiltin, multirangeOf, ownArrayOid, tableOfRows } from '../own-types.ts'
import type { MirrorStep } from './mirror-step.ts'
import { type NextNumbers, presetNumbers } from './preset-numbers.ts'
import { quoteName, quoteText } from './sql-text.ts'

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
 * Creates one type: where the first SQL fails the next is tried. A type of an extension becomes a type with the same name and
 * OID that accepts any text, whatever its text form is. None for a multirange type: its range type creates it.
 */
export function createType(
  connection: VisibleConnection,
  type: PgType,
  numbers: CatalogNumbers,
): readonly string[] {
  if (type.kind === 'range') return rangeSteps(connection, type, numbers)
  if (type.kind === 'multirange') return []
  const { oid, arrayOid } = numbers.typeNumbers(connection.name, type)
  const isComposite = type.attributes !== undefined
  const relation = isComposite
    ? { relation: numbers.numberOf('composite', connection.name, String(oid)), isStored: false }
    : {}
  const preset = presetNumbers({ ...relation, type: oid, array: arrayOid })
  return [preset + definition(connection, type) + sortOrders(oid, type)]
}

/** Names of array types that PostgreSQL would not choose here: first none of them is taken. */
export function arrayNames(
  connection: VisibleConnection,
  types: readonly PgType[],
  numbers: CatalogNumbers,
): readonly MirrorStep[] {
  const named = types.flatMap((type) => {
    const array = connection.types.typeByOid(ownArrayOid(connection.types, type) ?? 0)
    return array === undefined || array.name === `_${type.name}`
      ? []
      : [{ oid: numbers.typeNumbers(connection.name, type).arrayOid, name: array.name }]
  })
  if (named.length === 0) return []
  const update = 'update pg_catalog.pg_type set typname ='
  const updates = [
    ...named.map(({ oid }) => `${update} ${quoteText(`array ${oid}`)} where oid = ${oid}`),
    ...named.map(({ oid, name }) => `${update} ${quoteText(name)} where oid = ${oid}`),
  ]
  return [[updates.join('; ')]]
}

export function typeComment(connection: VisibleConnection, type: PgType): readonly MirrorStep[] {
  if (type.comment === undefined) return []
  const kind = type.kind === 'domain' ? 'domain' : 'type'
  const name = qualifiedName(connection, type)
  return [[`comment on ${kind} ${name} is ${quoteText(type.comment)}`]]
}

function definition(connection: VisibleConnection, type: PgType): string {
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
    case 'range':
    case 'multirange':
    case 'pseudo':
      return textLikeType(connection, type, name)
    default:
      return unreachable(type.kind)
  }
}

/** `; update …`, or nothing. Twice, since no two labels may have the same order meanwhile. */
function sortOrders(oid: number, { enumLabels = [], enumSortOrders: orders }: PgType): string {
  if (orders === undefined) return ''
  const rows = enumLabels.map((label, place) => `(${quoteText(label)}, ${orders[place]}::float4)`)
  const beyond = Math.ceil(Math.max(...orders)) + enumLabels.length + 1
  const update = 'update pg_catalog.pg_enum set enumsortorder ='
  return `; ${update} enumsortorder + ${beyond} where enumtypid = ${oid}; ${update} o.number
    from (values ${rows.join(', ')}) as o(label, number) where enumtypid = ${oid} and enumlabel = o.label`
}

function domainBase(connection: VisibleConnection, { baseOid, baseTypmod }: PgType): string {
  return typeName(connection, { oid: baseOid ?? 25, typmod: baseTypmod ?? -1 })
}

/** A type of bounds without an order here, as those of some extensions are, makes both types such as accept any text. */
function rangeSteps(
  connection: VisibleConnection,
  type: PgType,
  numbers: CatalogNumbers,
): readonly string[] {
  const name = qualifiedName(connection, type)
  const { subtypeOid = 25 } = type
  const multirange = multirangeOf(connection, type)
  const preset = (each: PgType, more: NextNumbers = {}) => {
    const { oid, arrayOid } = numbers.typeNumbers(connection.name, each)
    return presetNumbers({ type: oid, array: arrayOid, ...more })
  }
  const imitated = multirange === undefined ? [type] : [type, multirange]
  const options = [
    `subtype = ${typeName(connection, { oid: subtypeOid, typmod: -1 })}`,
    ...(multirange === undefined
      ? []
      : [`multirange_type_name = ${qualifiedName(connection, multirange)}`]),
  ]
  return [
    `${preset(type, numbers.multirangeNumbers(connection.name, type))}create type ${name} as range (${options.join(', ')})`,
    imitated
      .map((each) => preset(each) + textLikeType(connection, each, qualifiedName(connection, each)))
      .join(';\n'),
  ]
}

function qualifiedName(connection: VisibleConnection, type: PgType): string {
  const table = tableOfRows(connection, type)
  const name = table?.name ?? mirrorTypeName(connection, type)
  return `${quoteName(connection.name)}.${quoteName(name)}`
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
 * implicitly, so it compares like text: keys need that. A type that is sent as text only has no functions of the binary form:
 * drivers look for them (`typreceive`) before they ask for it.
 */
function textLikeType(connection: VisibleConnection, type: PgType, qualified: string): string {
  const name = mirrorTypeName(connection, type)
  const internal = (kind: string) => `pg_catalog.${quoteName(`${connection.name}.${name}.${kind}`)}`
  const define = (kind: string, from: string, to: string) =>
    `create function ${internal(kind)}(${from}) returns ${to}
      language internal immutable strict parallel safe as 'text${kind}'`
  const hasBinaryForm = formOfType(connection.types, type.oid).toBinary !== undefined
  const binary = hasBinaryForm
    ? {
        functions: [define('recv', 'internal', qualified), define('send', qualified, 'bytea')],
        options: `receive = ${internal('recv')}, send = ${internal('send')}, `,
      }
    : { functions: [], options: '' }
  return [
    `create type ${qualified}`,
    define('in', 'cstring', qualified),
    define('out', qualified, 'cstring'),
    ...binary.functions,
    `create type ${qualified} (input = ${internal('in')}, output = ${internal('out')},
      ${binary.options}like = pg_catalog.text, collatable = true)`,
    `create cast (${qualified} as text) without function as implicit`,
  ].join(';\n')
}
