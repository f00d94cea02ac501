/** @module The table from PostgreSQL types to forms in JSON and types in TypeScript. */
import type { ScalarWireKind } from '@engine/contract'
import { type Oid, oids } from './oids.ts'
import type { TypeTable } from './type-table.ts'

/** The form of a type's values in JSON. */
export type WireKind =
  | { readonly kind: ScalarWireKind }
  /** A JSON array, nested for several dimensions, of the element's form or null. */
  | { readonly kind: 'array'; readonly element: ScalarWireKind; readonly delimiter: string }

interface WireForm {
  readonly json: string
  readonly typeScript: string
}

/** The description of each form for users (`json`) and for the TypeScript compiler. */
export const wireForms: Readonly<Record<ScalarWireKind, WireForm>> = {
  boolean: { json: 'boolean', typeScript: 'boolean' },
  integer: { json: 'number', typeScript: 'number' },
  bigint: { json: 'string', typeScript: 'string' },
  float: { json: 'number', typeScript: 'number' },
  decimal: { json: 'string', typeScript: 'string' },
  bytes: { json: 'string', typeScript: 'string' },
  json: { json: 'any', typeScript: 'unknown' },
  text: { json: 'string', typeScript: 'string' },
}

const kindOfOid: ReadonlyMap<Oid, ScalarWireKind> = new Map<Oid, ScalarWireKind>([
  [oids.bool, 'boolean'],
  [oids.int2, 'integer'],
  [oids.int4, 'integer'],
  [oids.oid, 'integer'],
  [oids.int8, 'bigint'],
  [oids.float4, 'float'],
  [oids.float8, 'float'],
  [oids.numeric, 'decimal'],
  [oids.bytea, 'bytes'],
  [oids.json, 'json'],
  [oids.jsonb, 'json'],
])

const scalarKinds = new Map<ScalarWireKind, WireKind>(
  (Object.keys(wireForms) as ScalarWireKind[]).map((kind) => [kind, { kind }]),
)

/** Domains have the form of their base; an unknown type is text. */
export function wireKindOf(types: TypeTable, oid: Oid): WireKind {
  const elementOid = types.elementTypeOid(oid)
  if (elementOid === undefined || vectors.has(types.baseTypeOid(oid)))
    return scalarWireKind(scalarKindOf(types, oid))
  const delimiter = types.typeByOid(elementOid)?.delimiter ?? ','
  return { kind: 'array', element: scalarKindOf(types, elementOid), delimiter }
}

/** Arrays that PostgreSQL prints as words: `1 2 3`. */
const vectors: ReadonlySet<Oid> = new Set([oids.int2vector, oids.oidvector])

/** `string`, `(number | null)[]`: a column of that kind that is never NULL. */
export function typeScriptOf(kind: WireKind): string {
  if (kind.kind !== 'array') return wireForms[kind.kind].typeScript
  const element = wireForms[kind.element].typeScript
  return element === 'unknown' ? 'unknown[]' : `(${element} | null)[]`
}

function scalarWireKind(kind: ScalarWireKind): WireKind {
  return scalarKinds.get(kind) ?? { kind }
}

function scalarKindOf(types: TypeTable, oid: Oid): ScalarWireKind {
  return kindOfOid.get(types.baseTypeOid(oid)) ?? 'text'
}
