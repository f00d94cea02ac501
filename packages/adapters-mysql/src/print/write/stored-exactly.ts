/**
 * @module Types of columns that store another value than the one that they get, without a warning: an ENUM takes `A` for `a`, and `1`
 * for its first value; a SET sorts; a YEAR adds a century; BINARY and BIT add zero bytes; an INET6 has one spelling of each address;
 * DOUBLE(m, d) rounds; MariaDB cuts a long text of a temporary table. Such a value is refused, as a type of PostgreSQL refuses what
 * it cannot hold.
 */
import { type Column, oids } from '@engine/core/catalog'
import { integer, joinSql, keyword, memberName, parameter, type Sql, sql } from '@engine/core/print'
import { letValues, mostDoubled } from '../expression/binding/let-binding.ts'
import type { NamedKind } from '../expression/binding/named-value.ts'
import { binaryCollation, nullSql, type PrintContext } from '../print-context.ts'
import { raiseState } from '../raise.ts'
import { nativeOf } from './row-key.ts'

/** Does the column change values that it stores? */
export function changesValues(column: Column, context: PrintContext): boolean {
  return enumValues(column) !== undefined || guardOf(column, context, false) !== undefined
}

/** What is known about a value. */
export interface ValueFacts {
  /** See `canBind`. */
  readonly canBeNamed: boolean
  /** It is a parameter alone. */
  readonly isGiven: boolean
}

const computed: ValueFacts = { canBeNamed: true, isGiven: false }

/** `value`, or an error where the column would store another one. */
export function storedExactly(
  column: Column,
  value: Sql,
  context: PrintContext,
  { canBeNamed, isGiven }: ValueFacts = computed,
): Sql {
  const members = enumValues(column)
  // An ENUM takes the number of a value, too; it has no number 0.
  if (members !== undefined) {
    const list = text(members.join(','))
    return sql`find_in_set((${value} collate ${binaryCollation(context)}), ${list})`
  }
  const guard = guardOf(column, context, isGiven)
  if (guard === undefined) return value
  const { kind, state, isChanged } = guard
  return letValues(
    [{ value, kind }],
    context,
    canBeNamed,
    (name = nullSql) =>
      sql`case when ${isChanged(name, context)} then ${raised(state, kind)} else ${name} end`,
    mostDoubled,
  )
}

/** In the type of the value: the server gives all results of a CASE one type. */
function raised(state: Guard['state'], kind: NamedKind): Sql {
  const raise = raiseState(state)
  if (kind === 'bytes') return sql`cast(${raise} as binary)`
  return kind === 'text' ? sql`cast(${raise} as char)` : raise
}

/** Undefined for other columns, and for an ENUM with a comma in a value. */
function enumValues(column: Column): readonly string[] | undefined {
  if (nativeOf(column).dataType !== 'enum') return undefined
  const values = column.listed?.values.map(String)
  return values?.some((each) => each.includes(',')) === true ? undefined : values
}

interface Guard {
  readonly kind: NamedKind
  /** SQLSTATE of the refusal. */
  readonly state: '22001' | '22003' | '22026' | '22P02'
  readonly isChanged: (value: Sql, context: PrintContext) => Sql
}

function guardOf(column: Column, context: PrintContext, isGiven: boolean): Guard | undefined {
  const values = (column.listed?.values ?? []).map(String)
  const { dataType = '' } = nativeOf(column)
  const mostBytes =
    isGiven || !context.traits.faults.cutsLongTexts ? undefined : sizes.get(dataType)
  if (mostBytes !== undefined) return sizeGuard(column, mostBytes)
  switch (dataType) {
    case 'enum':
      return {
        kind: 'text',
        state: '22P02',
        isChanged: (value, context) =>
          sql`(${value} collate ${binaryCollation(context)}) not in (${joinSql(values.map(text), ', ')})`,
      }
    case 'set':
      return { kind: 'text', state: '22P02', isChanged: isNoSet(values) }
    case 'inet4':
      return { kind: 'text', state: '22P02', isChanged: (value) => isRespelled(value, sql`inet4`) }
    case 'inet6':
      return { kind: 'text', state: '22P02', isChanged: (value) => isRespelled(value, sql`inet6`) }
    case 'year':
      return {
        kind: 'integer',
        state: '22003',
        isChanged: (value) => sql`${value} between 1 and 99`,
      }
    case 'binary':
      return lengthGuard(sizeOf(column))
    case 'bit':
      return column.type.oid === oids.bool ? undefined : lengthGuard(Math.ceil(sizeOf(column) / 8))
    case 'float':
    case 'double':
      return roundingGuard(column)
    default:
      return undefined
  }
}

/** The most bytes of a type, where a column of JSON_TABLE or of a derived table can have more. */
const sizes: ReadonlyMap<string, number> = new Map([
  ['tinytext', 255],
  ['tinyblob', 255],
  ['text', 65_535],
  ['blob', 65_535],
  ['mediumtext', 16_777_215],
  ['mediumblob', 16_777_215],
])

function sizeGuard(column: Column, mostBytes: number): Guard {
  const { charset } = nativeOf(column)
  const isConverted = charset !== undefined && !charset.startsWith('utf8')
  return {
    kind: charset === undefined ? 'bytes' : 'text',
    state: '22001',
    isChanged: (value) => {
      const stored = isConverted ? sql`convert(${value} using ${memberName(charset)})` : value
      return sql`octet_length(${stored}) > ${integer(mostBytes)}`
    },
  }
}

/** `16` of BINARY(16). */
function sizeOf({ nativeType }: Column): number {
  return Number(/\((\d+)/.exec(nativeType)?.[1] ?? 1)
}

function lengthGuard(bytes: number): Guard {
  return {
    kind: 'bytes',
    state: '22026',
    isChanged: (value) => sql`octet_length(${value}) <> ${integer(bytes)}`,
  }
}

/** For DOUBLE(m, d), which rounds to d digits of m; an UPDATE by a join takes larger numbers, too. */
function roundingGuard({ nativeType }: Column): Guard | undefined {
  const [, all, digits] = /\((\d+),(\d+)\)/.exec(nativeType) ?? []
  if (all === undefined || digits === undefined) return undefined
  const limit = keyword(`1e${Number(all) - Number(digits)}`)
  // The digits of a FLOAT are not those of the double that is nearest to it.
  const isSingle = /^float/i.test(nativeType)
  const asStored = (value: Sql): Sql => (isSingle ? sql`cast(${value} as float)` : value)
  return {
    kind: 'double',
    state: '22003',
    isChanged: (value) =>
      sql`(${asStored(sql`round(${value}, ${integer(Number(digits))})`)} <> ${asStored(value)} or abs(${value}) >= ${limit})`,
  }
}

/** Is it not the list of its members, in the order of the column? */
function isNoSet(values: readonly string[]): Guard['isChanged'] {
  return (value, context) => {
    const members = values.map(
      (each) => sql`elt(find_in_set(${text(each)}, ${value}) > 0, ${text(each)})`,
    )
    return sql`concat_ws(',', ${joinSql(members, ', ')}) <> (${value} collate ${binaryCollation(context)})`
  }
}

/** An address that is none is left to the column. */
function isRespelled(value: Sql, type: Sql): Sql {
  return sql`cast(cast(${value} as ${type}) as char) <> ${value}`
}

function text(value: string): Sql {
  return parameter({ from: 'constant', value, type: { oid: oids.text, typmod: -1 } })
}
