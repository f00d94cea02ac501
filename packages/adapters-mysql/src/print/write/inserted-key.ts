/**
 * @module The key by which the rows of an INSERT are found again, on a server without RETURNING: each part is a value of the row
 * that is known before, or the number that the driver reports.
 */
import type { Column, Table } from '@engine/core/catalog'
import type { Sql } from '@engine/core/print'
import { type PrintContext, print, refuse } from '../print-context.ts'
import { defaultExpression, uuidDefault } from './default-cell.ts'
import type { SourceQuery } from './insert-source.ts'
import { nativeOf, type RowKey, rowKeysOf } from './row-key.ts'

/**
 * - `given`: a value of the proposed row
 * - `numbered`: the server's number; of a row with a value at `place`, this value
 */
export type InsertedPart =
  | { readonly kind: 'given'; readonly place: number }
  | { readonly kind: 'numbered'; readonly place: number | undefined }

export interface InsertedKey {
  readonly key: RowKey
  /** By column of the key. */
  readonly parts: readonly InsertedPart[]
  /** The proposed rows, also with the columns of the key that the statement leaves at their defaults. */
  readonly source: SourceQuery
  /** The values of these added columns, which are the last ones of the source. */
  readonly defaults: readonly Sql[]
}

/** @throws {GatewayError} `unsupported` where only the server knows the value of a part, in every key of the table. */
export function insertedKeyOf(
  table: Table,
  source: SourceQuery,
  context: PrintContext,
): InsertedKey {
  const found = rowKeysOf(table).map((key) => tryKey(table, key, source, context))
  const known = found.find((each): each is InsertedKey => typeof each === 'object')
  return known ?? refuse(found.find((each) => typeof each === 'string') ?? noKey(table), undefined)
}

function noKey({ name }: Table): string {
  return `this write to "${name}", which has no primary key,`
}

/** The construct to refuse where a part of the key is unknown. */
function tryKey(
  table: Table,
  key: RowKey,
  source: SourceQuery,
  context: PrintContext,
): InsertedKey | string {
  const added: { readonly column: Column; readonly value: Sql }[] = []
  const parts: InsertedPart[] = []
  for (const column of key.columns) {
    const isTriggered = table.triggerColumns?.has(column.ordinal) === true
    const place = source.columns.findIndex(({ ordinal }) => ordinal === column.ordinal)
    if (nativeOf(column).isAutoIncrement === true) {
      const isKnown = place >= 0 && !isTriggered
      parts.push(
        isKnown && source.isNumbered[place] !== true
          ? { kind: 'given', place }
          : { kind: 'numbered', place: isKnown ? place : undefined },
      )
      continue
    }
    if (isTriggered) return `RETURNING after a trigger of the key column ${column.name}`
    if (place >= 0) {
      parts.push({ kind: 'given', place })
      continue
    }
    const value = knownDefault(column, context)
    if (value === undefined) return `RETURNING after a default of the key column ${column.name}`
    parts.push({ kind: 'given', place: source.columns.length + added.length })
    added.push({ column, value })
  }
  return {
    key,
    parts,
    source: withColumns(
      source,
      added.map(({ column }) => column),
    ),
    defaults: added.map(({ value }) => value),
  }
}

function knownDefault(column: Column, context: PrintContext): Sql | undefined {
  const value = defaultExpression(column, context)
  return value === undefined ? uuidDefault(column) : print(value, context)
}

function withColumns(source: SourceQuery, added: readonly Column[]): SourceQuery {
  if (added.length === 0) return source
  return {
    ...source,
    columns: [...source.columns, ...added],
    isGuarded: [...source.isGuarded, ...added.map(() => false)],
    isNumbered: [...source.isNumbered, ...added.map(() => false)],
  }
}
