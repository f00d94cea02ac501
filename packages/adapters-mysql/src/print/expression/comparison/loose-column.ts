/** @module Weaker conditions beside an exact comparison that can use an index of a column. */
import type { Column } from '@engine/core/catalog'
import { memberName, type Sql, sql } from '@engine/core/print'
import type { Expression } from '@engine/core/tree'
import { classOfType, type PrintContext, relationOf } from '../../print-context.ts'
import { isReadAsStored, nativeOf } from '../../read-stored.ts'

/** A column whose own comparison finds everything that is equal, and possibly more. */
export interface LooseColumn {
  readonly sql: Sql
  readonly stored: Column
  /** Beside a column that compares by code point the server uses that column's collation, without an error. */
  readonly yields: boolean
  /**
   * A value in the column's collation: the server refuses to compare two columns of different collations.
   *
   * @param of the expression of the value
   * @returns undefined for a value that the column's character set may lack: the server would refuse it
   */
  readonly compared: (value: Sql, of: Expression) => Sql | undefined
}

export function looseColumn(
  expression: Expression,
  context: PrintContext,
): LooseColumn | undefined {
  if (expression.kind === 'cast' && expression.method === 'binary') {
    return looseColumn(expression.operand, context)
  }
  const column = bareColumn(expression, context)
  if (column === undefined) return undefined
  const { stored } = column
  if (isReadAsStored(stored, context.types)) return undefined
  const { dataType, charset, collation } = nativeOf(stored)
  if (dataType === 'uuid')
    return { sql: column.sql, stored, yields: true, compared: (value) => value }
  if (charset === undefined || collation === undefined) return undefined
  if (lists.has(dataType ?? '')) return undefined
  const yields = charset === 'utf8mb4' && !collation.endsWith('_bin')
  const collated = (value: Sql): Sql => sql`(${value} collate ${memberName(collation)})`
  const converted = (value: Sql): Sql =>
    charset === 'utf8mb4'
      ? collated(value)
      : collated(sql`convert(${value} using ${memberName(charset)})`)
  switch (classOfType(stored.type, context)) {
    case 'text':
    case 'bpchar':
      return {
        sql: column.sql,
        stored,
        yields,
        compared: (value, of) => {
          // NULL has no character set on MySQL.
          if (of.kind === 'constant' && of.value === null) return undefined
          if (charset === 'utf8mb4') return collated(value)
          const other = bareColumn(of, context)
          if (haveOneCollation(stored, other?.stored)) return other?.sql
          const missing = isGiven(of) ? outside.get(charset) : undefined
          return (
            missing && converted(sql`case when not ${value} regexp ${missing} then ${value} end`)
          )
        },
      }
    case 'uuid':
      // Upper and lower case letters are the same digits.
      return /_ci$/.test(collation)
        ? { sql: column.sql, stored, yields, compared: converted }
        : undefined
    default:
      return undefined
  }
}

/** A column of its table without conversion. */
function bareColumn(
  expression: Expression,
  context: PrintContext,
): { readonly sql: Sql; readonly stored: Column } | undefined {
  if (expression.kind !== 'column') return undefined
  const {
    isBare,
    stored,
    sql: text,
  } = relationOf(expression.relation, context).column(expression.column)
  return isBare && stored !== undefined ? { sql: text, stored } : undefined
}

/** Do two columns of texts have the same comparison? */
export function haveOneCollation(one: Column, other: Column | undefined): boolean {
  if (other === undefined || one.type.oid !== other.type.oid) return false
  const [left, right] = [nativeOf(one), nativeOf(other)]
  const isText = !lists.has(left.dataType ?? '') && !lists.has(right.dataType ?? '')
  return isText && left.collation !== undefined && left.collation === right.collation
}

const lists: ReadonlySet<string> = new Set(['enum', 'set'])

/** Is the value sent with the statement? Only such a value is known to the server before it searches rows. */
export function isGiven({ kind }: Expression): boolean {
  return kind === 'constant' || kind === 'parameter' || kind === 'caller'
}

/** By character set: a pattern for characters that it does not have. MariaDB's latin1 is Windows-1252. */
const outside: ReadonlyMap<string, Sql> = new Map([
  ['utf8mb3', sql`'[^\\\\x{0}-\\\\x{ffff}]'`],
  [
    'latin1',
    sql`'[^\\\\x{0}-\\\\x{7f}\\\\x{81}\\\\x{8d}\\\\x{8f}\\\\x{90}\\\\x{9d}\\\\x{a0}-\\\\x{ff}\\\\x{20ac}\\\\x{201a}\\\\x{192}\\\\x{201e}\\\\x{2026}\\\\x{2020}\\\\x{2021}\\\\x{2c6}\\\\x{2030}\\\\x{160}\\\\x{2039}\\\\x{152}\\\\x{17d}\\\\x{2018}\\\\x{2019}\\\\x{201c}\\\\x{201d}\\\\x{2022}\\\\x{2013}\\\\x{2014}\\\\x{2dc}\\\\x{2122}\\\\x{161}\\\\x{203a}\\\\x{153}\\\\x{17e}\\\\x{178}]'`,
  ],
])
