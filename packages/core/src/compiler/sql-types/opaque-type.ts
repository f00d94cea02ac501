/** @module `=` and `<>` of a type of an extension. */
import { signatureText } from './catalog-rows.ts'
import { type Oid, oids } from './oids.ts'
import type { PgOperator, PgType } from './pg-type.ts'

export interface OpaqueEquality {
  readonly typeOid: Oid
  readonly equal: PgOperator
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
  const equal = own('=')
  const unequal = own('<>')
  const added = [
    ...(equal === undefined ? [assumedOperator(type, '=', '<>')] : []),
    ...(unequal === undefined ? [assumedOperator(type, '<>', '=')] : []),
  ]
  return { typeOid: type.oid, equal: equal ?? assumedOperator(type, '=', '<>'), added }
}

function assumedOperator(type: PgType, name: string, negatorName: string): PgOperator {
  const signatureOf = (operator: string) => signatureText(operator, [type.name, type.name])
  return {
    oid: 0,
    name,
    leftOid: type.oid,
    rightOid: type.oid,
    resultOid: oids.bool,
    functionOid: 0,
    functionName: '',
    isStrict: true,
    volatility: 'stable',
    isLeakproof: false,
    canRaise: true,
    isAllowed: true,
    signature: signatureOf(name),
    commutator: signatureOf(name),
    negator: signatureOf(negatorName),
    ...(type.schema === undefined || isMadeOfOthers(type) ? {} : { schema: type.schema }),
  }
}

/** Rows and ranges: PostgreSQL's own operators compare them, whatever their element types. */
function isMadeOfOthers({ attributes, category }: PgType): boolean {
  return attributes !== undefined || category === 'R'
}
