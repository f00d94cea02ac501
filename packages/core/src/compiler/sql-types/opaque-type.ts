/** @module The operators of a type of an extension. */
import { signatureText } from './catalog-rows.ts'
import { type Oid, oids } from './oids.ts'
import type { PgOperator, PgType } from './pg-type.ts'
import type { Comparison } from './resolution.ts'

export interface OpaqueEquality {
  readonly typeOid: Oid
  /** How its values are grouped, and sorted where it has operators for that. */
  readonly comparison: Comparison
  /** Operators that are not already listed. */
  readonly added: readonly PgOperator[]
}

/** `listed` are the operators that introspection found; they have priority. */
export function opaqueEquality(type: PgType, listed: readonly PgOperator[]): OpaqueEquality {
  const own = (name: string) =>
    listed.find(
      (operator) =>
        operator.name === name && operator.leftOid === type.oid && operator.rightOid === type.oid,
    )
  const equal = own('=') ?? assumedOperator(type, '=', { negator: '<>', commutator: '=' })
  const unequal = own('<>') ?? assumedOperator(type, '<>', { negator: '=', commutator: '<>' })
  const less = own('<')
  const greater = own('>')
  const comparison = { equal, ...(less && { less }), ...(greater && { greater }) }
  const added = [equal, unequal].filter((operator) => !listed.includes(operator))
  return { typeOid: type.oid, comparison, added }
}

export interface RelatedOperators {
  readonly negator: string
  readonly commutator?: string
}

/** An operator with a truth value that the extension of a type has, with the least that can be assumed of it. */
export function assumedOperator(
  type: PgType,
  name: string,
  { negator, commutator }: RelatedOperators,
  right: Pick<PgType, 'oid' | 'name'> = type,
): PgOperator {
  const signatureOf = (operator: string) => signatureText(operator, [type.name, right.name])
  return {
    oid: 0,
    name,
    leftOid: type.oid,
    rightOid: right.oid,
    resultOid: oids.bool,
    functionOid: 0,
    functionName: '',
    isStrict: true,
    volatility: 'stable',
    isLeakproof: false,
    canRaise: true,
    isAllowed: true,
    signature: signatureOf(name),
    ...(commutator === undefined ? {} : { commutator: signatureOf(commutator) }),
    negator: signatureOf(negator),
    ...(type.schema === undefined || type.attributes !== undefined ? {} : { schema: type.schema }),
  }
}
