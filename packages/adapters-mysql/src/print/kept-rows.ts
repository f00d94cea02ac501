/** @module Rows that an earlier step of the plan kept, read back as a table. */
import {
  columnName,
  integer,
  joinSql,
  numericOfTypmod,
  parameter,
  type Sql,
  type SqlType,
  sql,
} from '@engine/core'
import {
  aliasOf,
  anyValue,
  binaryCollation,
  classOfType,
  type PrintContext,
  type PrintedColumn,
} from './print-context.ts'

/** What a step kept: the types of its columns in their order. */
export interface KeptStep {
  readonly step: number
  readonly types: readonly SqlType[]
}

export interface KeptRows {
  /** With its alias. */
  readonly sql: Sql
  /** The row's place among the kept rows: 1, 2 ... */
  readonly position: Sql
  /** A value in the form that expressions work with. */
  column(index: number): PrintedColumn
}

/** The rows as a table that can stand in FROM. */
export function printKeptRows({ step, types }: KeptStep, context: PrintContext): KeptRows {
  const alias = aliasOf(context.nextId(), context)
  const text = sql`longtext character set utf8mb4 collate ${binaryCollation(context)}`
  const columns = types.map((type, index) => {
    const declared = isWhole(type, context) ? sql`bigint` : text
    return sql`${columnName(index)} ${declared} path '$[${integer(index)}]'`
  })
  const list = joinSql([sql`c0 for ordinality`, ...columns], ', ')
  const rows = parameter({ from: 'step', step })
  return {
    sql: sql`json_table(${rows}, '$[*]' columns (${list})) as ${alias}`,
    position: sql`${alias}.c0`,
    column: (index) => {
      const type = types[index]
      if (type === undefined) throw new RangeError(`kept rows have no column ${index}`)
      return readKept(type, sql`${alias}.${columnName(index)}`, context)
    },
  }
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

function readKept(type: SqlType, item: Sql, context: PrintContext): PrintedColumn {
  const value = (read: Sql): PrintedColumn => ({ ...anyValue, sql: read, isBare: false })
  switch (classOfType(type, context)) {
    case 'numeric': {
      const modifiers = numericOfTypmod(type.typmod)
      // Digits as text where the scale is not known.
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
    case 'bytea':
      return value(sql`unhex(${item})`)
    default:
      return value(item)
  }
}
