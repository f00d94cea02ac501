/** @module PostgreSQL's own types, functions, operators and casts, decoded once. */
import {
  castOfRow,
  functionOfRow,
  operatorOfRow,
  operatorSignature,
  typeOfRow,
} from '../catalog-rows.ts'
import { castRows } from '../generated/casts.ts'
import { comparisonRows } from '../generated/comparisons.ts'
import { functionRows } from '../generated/functions.ts'
import { operatorRows } from '../generated/operators.ts'
import { typeRows } from '../generated/types.ts'
import type { Oid } from '../oids.ts'
import type { PgCast, PgFunction, PgOperator, PgType } from '../pg-type.ts'
import type { Comparison } from '../resolution.ts'

/** PostgreSQL's own types. */
export const builtinTypes: readonly PgType[] = typeRows.map(typeOfRow)

/** PostgreSQL's casts between its own types. */
export const builtinCasts: readonly PgCast[] = castRows.map(castOfRow)

const typeNames = new Map(builtinTypes.map((type) => [type.oid, type.name]))

/** `int4`; the number where PostgreSQL has no such type. */
export function builtinTypeName(oid: Oid): string {
  return typeNames.get(oid) ?? String(oid)
}

/** PostgreSQL's functions, also those that are refused. */
export const builtinFunctions: readonly PgFunction[] = functionRows.map((row) =>
  functionOfRow(row, builtinTypeName),
)

const operatorSignatures = new Map(
  operatorRows.map((row) => [row[0], operatorSignature(row, builtinTypeName)]),
)

/** PostgreSQL's operators, also those that are refused. */
export const builtinOperators: readonly PgOperator[] = operatorRows.map((row) =>
  operatorOfRow(row, builtinTypeName, (oid) => operatorSignatures.get(oid)),
)

const operatorsByOid = new Map(builtinOperators.map((operator) => [operator.oid, operator]))

/** The operators of a type's default B-tree operator class, else of its hash operator class. */
export const builtinComparisons: ReadonlyMap<Oid, Comparison> = new Map(
  comparisonRows.flatMap(([typeOid, equalOid, lessOid, greaterOid]) => {
    const equal = operatorsByOid.get(equalOid)
    const less = operatorsByOid.get(lessOid)
    const greater = operatorsByOid.get(greaterOid)
    if (equal === undefined) return []
    return [[typeOid, { equal, ...(less && { less }), ...(greater && { greater }) }]]
  }),
)
