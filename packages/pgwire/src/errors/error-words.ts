/** @module PostgreSQL's messages for the same errors: users and programs search for its exact words. */
import type { GatewayError } from '@engine/core'
import type { VisibleCatalog } from '@engine/core/session'
import type { ErrorFields } from '../protocol/message-writer.ts'

/** A message, and the object that it is about. */
export type ErrorWords = Pick<
  ErrorFields,
  'message' | 'detail' | 'schema' | 'table' | 'column' | 'constraint' | 'routine'
>

/** The parts of an error message. */
export interface FailedStatement {
  readonly error: GatewayError
  /** Its own message. */
  readonly message: string
  /** The statement; `error.position` counts from its beginning. */
  readonly sql: string
  /** Names that the caller may not know are left out. */
  readonly visible: VisibleCatalog
}

/** PostgreSQL's message where there is one, otherwise the error's own message. */
export function wordsOf(failed: FailedStatement): ErrorWords {
  const { error, sql, visible } = failed
  const native = nativeWords(error, visible)
  if (native !== undefined) return { ...placeOf(error), ...native }
  const { problem, position, sqlState } = error
  const name = position === undefined ? undefined : nameAt(sql, position)
  if (name !== undefined && problem === 'tableNotFound') {
    return { message: `relation "${name.join('.')}" does not exist` }
  }
  if (name !== undefined && problem === 'unknownColumn') {
    return { message: unknownColumn(name, sql, position) }
  }
  if (sqlState !== undefined && constraintWords.has(sqlState)) return violated(failed)
  return { message: plainWords.get(sqlState) ?? ownWords(failed) }
}

const plainWords: ReadonlyMap<string | undefined, string> = new Map([
  ['22012', 'division by zero'],
  ['40001', 'could not serialize access due to concurrent update'],
  ['40P01', 'deadlock detected'],
])

/** Uses PostgreSQL's own message. It quotes rows, so only callers that may read every row get it. */
function nativeWords(
  { cause, sqlState = '' }: GatewayError,
  { connections }: VisibleCatalog,
): Pick<ErrorWords, 'message' | 'detail' | 'routine'> | undefined {
  if (!/^(?:2[123]|40)/.test(sqlState) || !connections.every(({ isWhole }) => isWhole)) {
    return undefined
  }
  if (!(cause instanceof Error) || Reflect.get(cause, 'code') !== sqlState) return undefined
  const detail: unknown = Reflect.get(cause, 'detail')
  const routine: unknown = Reflect.get(cause, 'routine')
  return {
    message: cause.message,
    ...(typeof detail === 'string' ? { detail } : {}),
    ...(typeof routine === 'string' ? { routine } : {}),
  }
}

/** Removes the position from the text: the field `position` has it. */
function ownWords({ message }: FailedStatement): string {
  return message.replace(/ \(position \d+\)$/, '')
}

function unknownColumn(name: readonly string[], sql: string, position: number | undefined): string {
  if (name.length > 1) return `column ${name.join('.')} does not exist`
  const before = [...sql].slice(0, (position ?? 1) - 1).join('')
  const [, table] = writtenTable.exec(before) ?? []
  if (table === undefined) return `column "${name.join()}" does not exist`
  const relation = nameAt(table, 1)?.at(-1) ?? table
  return `column "${name.join()}" of relation "${relation}" does not exist`
}

/** The position before a written column: in the list of an INSERT, or the first one that an UPDATE sets. */
const writtenTable =
  /^\s*(?:insert\s+into\s+(?=\S+\s*\([^()]*$)|update\s+(?:only\s+)?(?=\S+(?:\s+\S+){0,2}\s+set\s+$))([^\s(]+)/i

/** A name that may be quoted and qualified, as PostgreSQL reads it. @param position from 1, in characters */
function nameAt(sql: string, position: number): readonly string[] | undefined {
  const text = [...sql].slice(position - 1).join('')
  const [found] =
    /^(?:"(?:[^"]|"")+"|[\p{L}_][\p{L}\d_$]*)(?:\s*\.\s*(?:"(?:[^"]|"")+"|[\p{L}_][\p{L}\d_$]*))*/u.exec(
      text,
    ) ?? []
  return found
    ?.match(/"(?:[^"]|"")+"|[\p{L}_][\p{L}\d_$]*/gu)
    ?.map((part) =>
      part.startsWith('"') ? part.slice(1, -1).replaceAll('""', '"') : part.toLowerCase(),
    )
}

const constraintWords: ReadonlyMap<string | undefined, string> = new Map([
  ['23502', 'null value violates not-null constraint'],
  ['23503', 'statement violates foreign key constraint'],
  ['23505', 'duplicate key value violates unique constraint'],
  ['23514', 'new row violates check constraint'],
])

/** The table and column of a violated constraint, as far as the caller may know them. */
function placeOf({ reportedFacts: told }: GatewayError): Omit<ErrorWords, 'message'> {
  if (told?.table === undefined) return {}
  const { connection: schema, table, column, constraint } = told
  return { schema, table, column, constraint }
}

function violated(failed: FailedStatement): ErrorWords {
  const { error, sql } = failed
  const place = placeOf(error)
  const { table, column, constraint } = place
  const plain = constraintWords.get(error.sqlState) ?? ownWords(failed)
  if (table === undefined) return { message: plain }
  if (error.sqlState === '23502' && column !== undefined) {
    const message = `null value in column "${column}" of relation "${table}" violates not-null constraint`
    return { ...place, message }
  }
  if (constraint === undefined) return { ...place, message: plain }
  switch (error.sqlState) {
    case '23505':
      return { ...place, message: `${plain} "${constraint}"` }
    case '23514':
      return {
        ...place,
        message: `new row for relation "${table}" violates check constraint "${constraint}"`,
      }
    case '23503':
      return { ...place, message: foreignKeyWords(sql, table, constraint) }
    default:
      return { ...place, message: plain }
  }
}

function foreignKeyWords(sql: string, table: string, constraint: string): string {
  const [, removed] = /^\s*delete\s+from\s+(?:only\s+)?([^\s;]+)/i.exec(sql) ?? []
  const parent = removed === undefined ? undefined : nameAt(removed, 1)?.at(-1)
  return parent === undefined
    ? `insert or update on table "${table}" violates foreign key constraint "${constraint}"`
    : `update or delete on table "${parent}" violates foreign key constraint "${constraint}" on table "${table}"`
}
