/** @module The compact rows of `generated/`, and their conversion to catalog entries. */
import { type Oid, oids } from './oids.ts'
import type {
  CoercionContext,
  PgCast,
  PgFunction,
  PgFunctionColumn,
  PgOperator,
  PgType,
  PgTypeKind,
  Volatility,
} from './pg-type.ts'

/**
 * Oid, name, category, flags, element, array type, details. Flags: `p` pseudo-type, `r` range, `m` multirange or `b`, then `P`
 * preferred, `C` collatable, `N` nameable.
 */
export type TypeRow = readonly [Oid, string, string, string, Oid, Oid, TypeDetails?]

interface TypeDetails {
  /** Between the elements of an array's text, unless `,`. */
  readonly delimiter?: string
  readonly part?: Oid
  readonly subtype?: Oid
  readonly multirange?: Oid
}

/**
 * Oid, name, flags, arguments, result, details. Flags: kind (`f` function, `w` window, `a` aggregate,
 * `o` ordered-set and `h` hypothetical-set aggregate), volatility (`i`, `s`, `v`), then `S` strict,
 * `L` leakproof, `E` can raise an error, `A` allowed, `R` returns rows, `O` allowed as the function of an operator.
 */
export type FunctionRow = readonly [Oid, string, string, readonly Oid[], Oid, FunctionDetails?]

interface FunctionDetails {
  readonly variadic?: Oid
  readonly defaults?: number
  readonly direct?: number
  readonly names?: readonly string[]
  readonly columns?: readonly (readonly [string, Oid])[]
}

/**
 * Oid, name, flags (volatility, then as for functions), left type or 0, right type, result,
 * function, its name, commutator or 0, negator or 0.
 */
export type OperatorRow = readonly [
  Oid,
  string,
  string,
  Oid,
  Oid,
  Oid,
  Oid,
  string,
  commutatorOid: Oid,
  negatorOid: Oid,
]

/**
 * Source, target, flags, function or 0. Flags: context (`i`, `a`, `e`), method (`f` function, `b`
 * binary, `i` through text), volatility, then `L` leakproof, `E` can raise an error.
 */
export type CastRow = readonly [Oid, Oid, string, Oid]

/** Type, and its operators `=`, `<` and `>`; 0 where it has none. */
export type ComparisonRow = readonly [Oid, Oid, Oid, Oid]

const volatilities: Readonly<Record<string, Volatility>> = {
  i: 'immutable',
  s: 'stable',
  v: 'volatile',
}
const contexts: Readonly<Record<string, CoercionContext>> = {
  i: 'implicit',
  a: 'assignment',
  e: 'explicit',
}
const methods: Readonly<Record<string, PgCast['method']>> = {
  f: 'function',
  b: 'binary',
  i: 'inout',
}
const kinds: Readonly<Record<string, PgTypeKind>> = { p: 'pseudo', r: 'range', m: 'multirange' }
const aggregateKinds: Readonly<Record<string, NonNullable<PgFunction['aggregateKind']>>> = {
  a: 'normal',
  o: 'orderedSet',
  h: 'hypotheticalSet',
}

export function typeOfRow(row: TypeRow): PgType {
  const [oid, name, category, flags, elementOid, arrayOid, details = {}] = row
  const { delimiter, part, subtype, multirange } = details
  return {
    oid,
    name,
    category,
    isPreferred: flags.includes('P'),
    kind: oid === oids.record ? 'composite' : (kinds[flags.charAt(0)] ?? 'base'),
    ...(elementOid === 0 ? {} : { elementOid }),
    ...(arrayOid === 0 ? {} : { arrayOid }),
    isCollatable: flags.includes('C'),
    ...(delimiter === undefined ? {} : { delimiter }),
    ...(part === undefined ? {} : { partOid: part }),
    ...(subtype === undefined ? {} : { subtypeOid: subtype }),
    ...(multirange === undefined ? {} : { multirangeOid: multirange }),
    isNameable: flags.includes('N'),
  }
}

/** `lower(text)`, `=(int4,int4)`, `-(int4)`. */
export function signatureText(name: string, argumentNames: readonly string[]): string {
  return `${name}(${argumentNames.join()})`
}

export function functionOfRow(row: FunctionRow, typeName: (oid: Oid) => string): PgFunction {
  const [oid, name, flags, argumentOids, resultOid, details = {}] = row
  const kind = flags.charAt(0)
  const aggregateKind = aggregateKinds[kind]
  const columns = details.columns?.map(([column, columnOid]): PgFunctionColumn => {
    return { name: column, oid: columnOid }
  })
  return {
    oid,
    name,
    kind: kind === 'f' ? 'function' : kind === 'w' ? 'window' : 'aggregate',
    ...(aggregateKind === undefined
      ? {}
      : { aggregateKind, directArgumentCount: details.direct ?? 0 }),
    argumentOids,
    ...(details.names === undefined ? {} : { argumentNames: details.names }),
    ...(details.variadic === undefined ? {} : { variadicOid: details.variadic }),
    defaultCount: details.defaults ?? 0,
    resultOid,
    returnsSet: flags.includes('R'),
    ...(columns === undefined ? {} : { outputColumns: columns }),
    isStrict: flags.includes('S'),
    volatility: volatilities[flags.charAt(1)] ?? 'volatile',
    isLeakproof: flags.includes('L'),
    canRaise: flags.includes('E'),
    isAllowed: flags.includes('A'),
    ...(flags.includes('O') ? { isOfOperator: true } : {}),
    signature: signatureText(name, argumentOids.map(typeName)),
  }
}

export function operatorOfRow(
  row: OperatorRow,
  typeName: (oid: Oid) => string,
  signatureOf: (operatorOid: Oid) => string | undefined,
): PgOperator {
  const [oid, name, flags, leftOid, rightOid, resultOid, functionOid, functionName] = row
  const commutator = signatureOf(row[8])
  const negator = signatureOf(row[9])
  return {
    oid,
    name,
    ...(leftOid === 0 ? {} : { leftOid }),
    rightOid,
    resultOid,
    functionOid,
    functionName,
    isStrict: flags.includes('S'),
    volatility: volatilities[flags.charAt(0)] ?? 'volatile',
    isLeakproof: flags.includes('L'),
    canRaise: flags.includes('E'),
    // A record occurs only where the database has rows as values.
    isAllowed: flags.includes('A') || leftOid === oids.record,
    signature: operatorSignature(row, typeName),
    ...(commutator === undefined ? {} : { commutator }),
    ...(negator === undefined ? {} : { negator }),
  }
}

export function operatorSignature(row: OperatorRow, typeName: (oid: Oid) => string): string {
  const [, name, , leftOid, rightOid] = row
  const sides = leftOid === 0 ? [rightOid] : [leftOid, rightOid]
  return signatureText(name, sides.map(typeName))
}

export function castOfRow(row: CastRow): PgCast {
  const [sourceOid, targetOid, flags, functionOid] = row
  return {
    sourceOid,
    targetOid,
    context: contexts[flags.charAt(0)] ?? 'explicit',
    method: methods[flags.charAt(1)] ?? 'function',
    ...(functionOid === 0 ? {} : { functionOid }),
    volatility: volatilities[flags.charAt(2)] ?? 'volatile',
    isLeakproof: flags.includes('L'),
    canRaise: flags.includes('E'),
  }
}
