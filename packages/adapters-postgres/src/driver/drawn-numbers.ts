/** @module currval() and lastval(): numbers that a session drew. Sessions are shared, so only transactions may read their own. */
import { type AuthorizedStatement, GatewayError } from '@engine/core/adapter'
import { drawnValuesOf, type Expression } from '@engine/core/tree'
import type { DatabaseError } from 'pg'
import type { PostgresHints } from './native-statement.ts'

/** Undefined where a statement reads none. */
export function noNumbersOf(statement: AuthorizedStatement): PostgresHints['noNumbers'] {
  const [call] = drawnValuesOf(statement)
  if (call === undefined) return undefined
  const { args, numbered, position } = call
  const named =
    numbered?.table.columns[numbered.column]?.sequences?.[0]?.native.name ?? nameIn(args[0])
  const what = named === undefined ? 'lastval' : `currval of sequence "${named}"`
  return () => notYetDefined(`${what} is not yet defined in this session`, position)
}

/** `"public"."counter"` → `counter` */
function nameIn(sequence: Expression | undefined): string | undefined {
  if (sequence?.kind !== 'constant') return undefined
  return /"((?:[^"]|"")*)"$/.exec(String(sequence.value))?.[1]?.replaceAll('""', '"')
}

/** PostgreSQL's own error, in a transaction that drew no number. Undefined for any other error. */
export function noNumberError({ code, routine, message }: DatabaseError): GatewayError | undefined {
  const isMeant = code === '55000' && (routine === 'currval_oid' || routine === 'lastval')
  return isMeant ? notYetDefined(message, undefined) : undefined
}

const hint = 'Draw a number in the same transaction, or use INSERT … RETURNING.'

function notYetDefined(message: string, position: number | undefined): GatewayError {
  return new GatewayError('badRequest', message, {
    sqlState: '55000',
    details: { hint },
    ...(position === undefined ? {} : { position }),
  })
}
