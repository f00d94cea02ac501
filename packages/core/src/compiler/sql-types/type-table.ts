/** @module All types and casts: the built-in ones and a connection's own. */
import { type Oid, oids } from './oids.ts'
import type { PgCast, PgType } from './pg-type.ts'

export interface TypeTable {
  typeByOid(oid: Oid): PgType | undefined
  typeByName(name: string): PgType | undefined
  baseTypeOid(oid: Oid): Oid
  arrayTypeOid(elementOid: Oid): Oid | undefined
  elementTypeOid(oid: Oid): Oid | undefined
  /** For a range, or a domain over a range: the type of its bounds. */
  subtypeOid(oid: Oid): Oid | undefined
  /** For a multirange, or a domain over one: the type of its ranges. */
  rangeTypeOid(oid: Oid): Oid | undefined
  /** For a range, or a domain over a range. */
  multirangeTypeOid(oid: Oid): Oid | undefined
  /** The catalogued cast between two types; domains are not replaced by their base. */
  cast(sourceOid: Oid, targetOid: Oid): PgCast | undefined
}

export interface TypeTableSource {
  readonly types: readonly PgType[]
  readonly casts: readonly PgCast[]
}

/**
 * A built-in type has priority over another of the same name, and of two others the last one: adapters report the one to be used
 * last. The connection's own types have a second name, with their schema: `auth.mood`.
 */
export function createTypeTable(builtin: TypeTableSource, extra: TypeTableSource): TypeTable {
  const types = [...builtin.types, ...extra.types]
  const byOid = new Map(types.map((type) => [type.oid, type]))
  const withSchema = extra.types.map((type): [string, PgType] => [
    `${type.schema}.${type.name}`,
    type,
  ])
  const byName = new Map([
    ...withSchema,
    ...[...extra.types, ...builtin.types].map((type): [string, PgType] => [type.name, type]),
  ])
  const rangeOf = new Map(
    types.flatMap(({ oid, multirangeOid }): [Oid, Oid][] =>
      multirangeOid === undefined ? [] : [[multirangeOid, oid]],
    ),
  )
  const casts = new Map<Oid, Map<Oid, PgCast>>()
  for (const cast of [...builtin.casts, ...extra.casts]) {
    const ofSource = casts.get(cast.sourceOid) ?? new Map<Oid, PgCast>()
    casts.set(cast.sourceOid, ofSource.set(cast.targetOid, cast))
  }
  const baseTypeOid = (oid: Oid): Oid => {
    const baseOid = byOid.get(oid)?.baseOid
    return baseOid === undefined ? oid : baseTypeOid(baseOid)
  }
  return {
    typeByOid: (oid) => byOid.get(oid),
    typeByName: (name) => {
      if (!name.startsWith(builtinPrefix)) return byName.get(name)
      const type = byName.get(name.slice(builtinPrefix.length))
      return type?.schema === undefined ? type : undefined
    },
    baseTypeOid,
    arrayTypeOid: (oid) => (oid === oids.record ? oids.recordArray : byOid.get(oid)?.arrayOid),
    elementTypeOid: (oid) => byOid.get(baseTypeOid(oid))?.elementOid,
    subtypeOid: (oid) => byOid.get(baseTypeOid(oid))?.subtypeOid,
    rangeTypeOid: (oid) => rangeOf.get(baseTypeOid(oid)),
    multirangeTypeOid: (oid) => byOid.get(baseTypeOid(oid))?.multirangeOid,
    cast: (sourceOid, targetOid) => casts.get(sourceOid)?.get(targetOid),
  }
}

const builtinPrefix = 'pg_catalog.'

/** The category of the types that any value can be written as. */
export const stringCategory = 'S'
