/** @module Rows that an earlier step of the plan kept, read back as a table. */

import { numericOfTypmod, type SqlType } from '@engine/core/catalog'
import { columnName, integer, joinSql, parameter, type Sql, sql } from '@engine/core/print'
import {
  aliasOf,
  anyValue,
  binaryCollation,
  classOfType,
  type PrintContext,
  type PrintedColumn,
} from '../print-context.ts'
import { raiseState } from '../raise.ts'

/** The rows that a step kept: the types of their columns, in order. */
export interface MaterializedStep {
  readonly step: number
  readonly types: readonly SqlType[]
}

export interface MaterializedRows {
  /** With its alias. */
  readonly sql: Sql
  /** The row's position among the kept rows: 1, 2 ... */
  readonly position: Sql
  /** A value in the form of expressions. */
  column(index: number): PrintedColumn
}

/** The rows as a table for FROM. */
export function printMaterializedRows(
  { step, types }: MaterializedStep,
  context: PrintContext,
): MaterializedRows {
  const alias = aliasOf(context.nextId(), context)
  const columns = types.flatMap((type, index) => {
    // A value that is not of the type was read by an outdated plan: without the clause it would become NULL.
    const path = sql`path '$[${integer(index)}]' error on error`
    const text = sql`character set utf8mb4 collate ${binaryCollation(context)} ${path}`
    const name = columnName(index)
    if (isWhole(type, context)) return [sql`${name} bigint ${path}`]
    const whole = sql`${name} longtext ${text}`
    return isBytes(type, context) ? [whole, sql`${shortName(index)} mediumtext ${text}`] : [whole]
  })
  const list = joinSql([sql`c0 for ordinality`, ...columns], ', ')
  const rows = parameter({ from: 'step', step })
  return {
    sql: sql`json_table(${rows}, '$[*]' columns (${list})) as ${alias}`,
    position: sql`${alias}.c0`,
    column: (index) => {
      const type = types[index]
      if (type === undefined) throw new Error(`kept rows have no column ${index}`)
      const item = sql`${alias}.${columnName(index)}`
      if (isBytes(type, context)) {
        const bytes = bytesOf(item, sql`${alias}.${shortName(index)}`)
        return { ...anyValue, sql: bytes, isBare: false }
      }
      return readMaterialized(type, item, context)
    },
  }
}

/** The same text, in a type that `unhex` accepts: the result for a LONGTEXT is lost in temporary tables. */
function shortName(index: number): Sql {
  return sql`s${integer(index + 1)}`
}

const mostHexDigits = 16_777_215

function bytesOf(whole: Sql, short: Sql): Sql {
  const isCut = sql`char_length(${whole}) > ${integer(mostHexDigits)}`
  return sql`unhex(case when ${isCut} then ${raiseState('54000')} else ${short} end)`
}

function isBytes(type: SqlType, context: PrintContext): boolean {
  return classOfType(type, context) === 'bytea'
}

function isWhole(type: SqlType, context: PrintContext): boolean {
  switch (classOfType(type, context)) {
    case 'bool':
    case 'int2':
    case 'int4':
    case 'int8':
      return true
    default:
      return false
  }
}

function readMaterialized(type: SqlType, item: Sql, context: PrintContext): PrintedColumn {
  const value = (read: Sql): PrintedColumn => ({ ...anyValue, sql: read, isBare: false })
  switch (classOfType(type, context)) {
    case 'numeric': {
      const modifiers = numericOfTypmod(type.typmod)
      // Digits as text where the scale is unknown.
      if (modifiers === undefined) return value(item)
      const { precision, scale } = modifiers
      const read = sql`cast(${item} as decimal(${integer(precision)}, ${integer(scale)}))`
      return { ...value(read), scale }
    }
    case 'float4':
    case 'float8':
      return value(sql`cast(${item} as double)`)
    case 'date':
      return value(sql`cast(${item} as date)`)
    case 'time':
      return value(sql`cast(${item} as time(6))`)
    case 'timestamp':
    case 'timestamptz':
      return value(sql`cast(${item} as datetime(6))`)
    default:
      return value(item)
  }
}
