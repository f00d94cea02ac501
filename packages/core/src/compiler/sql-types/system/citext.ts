/** @module The extension `citext`: texts that are compared without regard to letter case. */
import { type Oid, oids } from '../oids.ts'
import { assumedOperator, type RelatedOperators } from '../opaque-type.ts'
import type { CoercionContext, PgCast, PgType } from '../pg-type.ts'
import type { ConnectionTypes } from './connection-types.ts'

/** Operators that sort. */
const ordering: readonly (readonly [name: string, related: RelatedOperators])[] = [
  ['<', { negator: '>=', commutator: '>' }],
  ['<=', { negator: '>', commutator: '>=' }],
  ['>', { negator: '<=', commutator: '<' }],
  ['>=', { negator: '<', commutator: '<=' }],
]

/** LIKE, ILIKE and regular expressions. */
const matching: readonly (readonly [name: string, related: RelatedOperators])[] = [
  ['~~', { negator: '!~~' }],
  ['!~~', { negator: '~~' }],
  ['~~*', { negator: '!~~*' }],
  ['!~~*', { negator: '~~*' }],
  ['~', { negator: '!~' }],
  ['!~', { negator: '~' }],
  ['~*', { negator: '!~*' }],
  ['!~*', { negator: '~*' }],
]

const text = { oid: oids.text, name: 'text' } as const

/**
 * What the extension adds for its type: operators, and casts, so that functions of texts take it.
 *
 * @see https://www.postgresql.org/docs/current/citext.html
 */
export function citextAdditions(
  types: readonly PgType[],
): Pick<ConnectionTypes, 'operators' | 'casts'> {
  const found = types.filter(({ kind, name }) => kind === 'opaque' && name === 'citext')
  return {
    operators: found.flatMap((type) => [
      ...ordering.map(([name, related]) => assumedOperator(type, name, related)),
      ...matching.flatMap(([name, related]) => [
        assumedOperator(type, name, related),
        assumedOperator(type, name, related, text),
      ]),
    ]),
    casts: found.flatMap(({ oid }) => [
      sameBytes(oid, oids.text, 'implicit'),
      sameBytes(oid, oids.varchar, 'implicit'),
      sameBytes(oids.text, oid, 'assignment'),
      sameBytes(oids.varchar, oid, 'assignment'),
    ]),
  }
}

function sameBytes(sourceOid: Oid, targetOid: Oid, context: CoercionContext): PgCast {
  return {
    sourceOid,
    targetOid,
    context,
    method: 'binary',
    volatility: 'immutable',
    isLeakproof: false,
    canRaise: false,
  }
}
