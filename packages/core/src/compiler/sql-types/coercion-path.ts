/**
 * @module Finds the conversion from one concrete type to another, if it is allowed.
 * @see PostgreSQL documentation, chapter "Type Conversion"
 */
import { type Oid, oids } from './oids.ts'
import type { CoercionContext, PgCast, PgType } from './pg-type.ts'
import type { Coercion } from './resolution.ts'
import { stringCategory, type TypeTable } from './type-table.ts'

const none: Coercion = { kind: 'none', isLeakproof: true, canRaise: false }
const relabel: Coercion = { kind: 'relabel', isLeakproof: true, canRaise: false }
const unknownLiteral: Coercion = { kind: 'unknownLiteral', isLeakproof: false, canRaise: true }

const contextRank: Readonly<Record<CoercionContext, number>> = {
  implicit: 0,
  assignment: 1,
  explicit: 2,
}

/** Undefined where the conversion does not exist, or is not allowed in this context. */
export function findCoercion(
  types: TypeTable,
  sourceOid: Oid,
  targetOid: Oid,
  context: CoercionContext,
): Coercion | undefined {
  if (sourceOid === targetOid) return none
  const baseOid = types.baseTypeOid(targetOid)
  const path =
    sourceOid === oids.unknown
      ? unknownLiteral
      : findBasePath(types, types.baseTypeOid(sourceOid), baseOid, context)
  if (path === undefined || baseOid === targetOid) return path
  return { kind: 'domain', base: path, isLeakproof: false, canRaise: true }
}

/** May an argument of the first type be given where the second is declared? Not for polymorphic types. */
export function canCoerce(
  types: TypeTable,
  sourceOid: Oid,
  targetOid: Oid,
  context: CoercionContext,
): boolean {
  return targetOid === oids.any || findCoercion(types, sourceOid, targetOid, context) !== undefined
}

/** Between two types that are not domains. */
function findBasePath(
  types: TypeTable,
  sourceOid: Oid,
  targetOid: Oid,
  context: CoercionContext,
): Coercion | undefined {
  if (sourceOid === targetOid) return relabel
  const cast = types.cast(sourceOid, targetOid)
  if (cast !== undefined) {
    return contextRank[context] < contextRank[cast.context] ? undefined : castPath(cast)
  }
  if (targetOid === oids.record && types.typeByOid(sourceOid)?.attributes !== undefined) {
    return relabel
  }
  return (
    findArrayPath(types, sourceOid, targetOid, context) ??
    findTextPath(types, sourceOid, targetOid, context)
  )
}

function castPath(cast: PgCast): Coercion {
  switch (cast.method) {
    case 'binary':
      return relabel
    case 'inout':
      return { kind: 'inout', isLeakproof: false, canRaise: cast.canRaise }
    case 'function':
      return { kind: 'cast', cast, isLeakproof: cast.isLeakproof, canRaise: cast.canRaise }
  }
}

function findArrayPath(
  types: TypeTable,
  sourceOid: Oid,
  targetOid: Oid,
  context: CoercionContext,
): Coercion | undefined {
  if (targetOid === oids.oidvector || targetOid === oids.int2vector) return undefined
  const sourceElement = types.elementTypeOid(sourceOid)
  const targetElement = types.elementTypeOid(targetOid)
  if (sourceElement === undefined || targetElement === undefined) return undefined
  const element = findCoercion(types, sourceElement, targetElement, context)
  if (element === undefined) return undefined
  const { isLeakproof, canRaise } = element
  return { kind: 'arrayCast', element, isLeakproof, canRaise }
}

/** Any value can be stored in a string, and a string cast to any type: through its text. */
function findTextPath(
  types: TypeTable,
  sourceOid: Oid,
  targetOid: Oid,
  context: CoercionContext,
): Coercion | undefined {
  const source = types.typeByOid(sourceOid)
  const target = types.typeByOid(targetOid)
  if (source === undefined || target === undefined) return undefined
  if (source.kind === 'pseudo' || target.kind === 'pseudo') return undefined
  if (context !== 'implicit' && target.category === stringCategory) {
    return { kind: 'inout', isLeakproof: false, canRaise: canOutputRaise(types, source) }
  }
  if (context === 'explicit' && source.category === stringCategory) {
    return { kind: 'inout', isLeakproof: false, canRaise: true }
  }
  return undefined
}

/** Can writing a value of the type as text fail? A range is written as its bounds. */
function canOutputRaise(types: TypeTable, type: PgType): boolean {
  const partOid = type.subtypeOid ?? types.rangeTypeOid(type.oid)
  const part = partOid === undefined ? undefined : types.typeByOid(partOid)
  return part === undefined ? type.kind !== 'base' : canOutputRaise(types, part)
}
