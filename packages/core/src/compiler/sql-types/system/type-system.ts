/** @module PostgreSQL's types, functions, operators and casts. Start at `createTypeSystem`. */

import { findCoercion } from '../coercion-path.ts'
import { commonType } from '../common-type.ts'
import { formatType } from '../format-type.ts'
import { inputText } from '../input/input-text.ts'
import type { InputMode, InputResult, InputValue } from '../input/input-value.ts'
import { parseInput } from '../input/parse-input.ts'
import { createMemo } from '../memo.ts'
import type { Oid } from '../oids.ts'
import { opaqueEquality } from '../opaque-type.ts'
import type { CoercionContext, PgFunction, PgType } from '../pg-type.ts'
import { rangeAdditions } from '../range-types.ts'
import type {
  ArrayOperatorResolution,
  Coercion,
  CommonTypeContext,
  CommonTypeResolution,
  Comparison,
  FunctionCallOptions,
  FunctionResolution,
  OperatorResolution,
} from '../resolution.ts'
import { resolveFunction } from '../resolve-function.ts'
import { resolveArrayOperator, resolveOperator } from '../resolve-operator.ts'
import { createTypeTable } from '../type-table.ts'
import { encodeTypmod, hasTypmod, type TypmodResult } from '../typmod.ts'
import { type WireKind, wireKindOf } from '../wire-kind.ts'
import {
  builtinCasts,
  builtinFunctions,
  builtinOperators,
  builtinTypeName,
  builtinTypes,
} from './builtin-catalog.ts'
import { comparisonOf } from './comparison.ts'
import {
  type ConnectionTypes,
  restrictConnectionTypes,
  typesWithParts,
} from './connection-types.ts'

/** Types, functions, operators and casts of PostgreSQL and of one connection. */
export interface TypeSystem {
  /** The connection's own types, in an order where the last of several with the same name is the one that the name means. */
  readonly ownTypes: readonly PgType[]
  typeByOid(oid: Oid): PgType | undefined
  /**
   * As libpg-query spells types: `int4`, `pg_catalog.int4`, `bpchar`, `mood`; not `integer`. Client SQL may not use every one of
   * these names: see `PgType.isNameable`.
   */
  typeByName(name: string): PgType | undefined
  /**
   * The same without those of the connection's own types that are neither in `seen` nor a part of one: neither a name nor an oid
   * finds them, nor the functions and operators declared for them.
   */
  narrowTo(seen: ReadonlySet<Oid>): TypeSystem
  /** Follows domains down to a type that is not a domain. */
  baseTypeOid(oid: Oid): Oid
  arrayTypeOid(elementOid: Oid): Oid | undefined
  /** For an array, or a domain over an array. */
  elementTypeOid(oid: Oid): Oid | undefined
  /** For a range, or a domain over a range: the type of its bounds. */
  subtypeOid(oid: Oid): Oid | undefined
  /** For a multirange, or a domain over one: the type of its ranges. */
  rangeTypeOid(oid: Oid): Oid | undefined
  /** The result of PostgreSQL's `format_type`: `character varying(20)`, `timestamp with time zone`. */
  formatType(oid: Oid, typmod?: number): string
  /** Converts the modifiers of a type name (`varchar(20)`, `numeric(10,2)`) to its typmod, `-1` for none. */
  encodeTypmod(oid: Oid, modifiers: readonly number[]): TypmodResult
  /** Does a typmod of this type round, cut or pad values? Then a cast to it is a function call. */
  hasLengthCoercion(oid: Oid): boolean
  functionsNamed(name: string): readonly PgFunction[]
  resolveFunction(
    name: string,
    argumentOids: readonly Oid[],
    options?: FunctionCallOptions,
  ): FunctionResolution
  /** A prefix operator when `leftOid` is undefined. */
  resolveOperator(name: string, leftOid: Oid | undefined, rightOid: Oid): OperatorResolution
  resolveArrayOperator(name: string, leftOid: Oid, rightOid: Oid): ArrayOperatorResolution
  /** The type of UNION columns, CASE branches, ARRAY elements and similar constructs. */
  commonType(oids: readonly Oid[], context: CommonTypeContext): CommonTypeResolution
  coercion(sourceOid: Oid, targetOid: Oid, context: CoercionContext): Coercion | undefined
  /** Undefined where a type can neither be sorted nor grouped: `json`, `point`, `xml`. */
  comparison(oid: Oid): Comparison | undefined
  wireKind(oid: Oid): WireKind
  /** Reads a literal or a JSON parameter as PostgreSQL's input function of the type would. */
  parseInput(oid: Oid, typmod: number, value: unknown, mode: InputMode, nowMs?: number): InputResult
  /** A result of `parseInput`, as PostgreSQL prints it. */
  inputText(oid: Oid, value: Exclude<InputValue, null>): string
}

const builtinFunctionsByName = Map.groupBy(builtinFunctions, ({ name }) => name)
const builtinOperatorsByName = Map.groupBy(builtinOperators, ({ name }) => name)

/** Far more combinations of types than one application's statements have. */
const memoLimit = 4096

/** The most narrowed type systems of one connection at the same time: one for each kind of caller. */
const narrowedLimit = 50

/** The built-in catalog with the additions of one connection. It never changes. */
export function createTypeSystem(extra: ConnectionTypes = {}): TypeSystem {
  const { types: ownTypes = [] } = extra
  const ownNames = new Map(ownTypes.map(({ oid, name }) => [oid, name]))
  const ranges = rangeAdditions(ownTypes, (oid) => ownNames.get(oid) ?? builtinTypeName(oid))
  const table = createTypeTable(
    { types: builtinTypes, casts: builtinCasts },
    { types: ownTypes, casts: [...(extra.casts ?? []), ...ranges.casts] },
  )
  const opaqueOperators = ownTypes
    .filter((type) => type.kind === 'opaque')
    .map((type) => opaqueEquality(type, extra.operators ?? []))
  const equalities = new Map(
    opaqueOperators.map(({ typeOid, comparison }): [Oid, Comparison] => [typeOid, comparison]),
  )
  const extraOperators = Map.groupBy(
    [...(extra.operators ?? []), ...opaqueOperators.flatMap(({ added }) => added)],
    ({ name }) => name,
  )
  const extraFunctions = Map.groupBy(
    [...(extra.functions ?? []), ...ranges.functions],
    ({ name }) => name,
  )
  const functionsNamed = (name: string) =>
    joined(builtinFunctionsByName.get(name), extraFunctions.get(name))
  const operatorsNamed = (name: string) =>
    joined(builtinOperatorsByName.get(name), extraOperators.get(name))

  const operators = createMemo<OperatorResolution>(memoLimit)
  const narrowed = createMemo<TypeSystem>(narrowedLimit)

  const system: TypeSystem = {
    ownTypes,
    narrowTo: (seen) => {
      const kept = typesWithParts(ownTypes, seen)
      if (kept.length === ownTypes.length) return system
      return narrowed(kept.map(({ oid }) => oid).join(), () =>
        createTypeSystem(restrictConnectionTypes(extra, kept)),
      )
    },
    typeByOid: table.typeByOid,
    typeByName: table.typeByName,
    baseTypeOid: table.baseTypeOid,
    arrayTypeOid: table.arrayTypeOid,
    elementTypeOid: table.elementTypeOid,
    subtypeOid: table.subtypeOid,
    rangeTypeOid: table.rangeTypeOid,
    formatType: (oid, typmod) => formatType(table, oid, typmod),
    encodeTypmod: (oid, modifiers) => encodeTypmod(oid, modifiers, formatType(table, oid)),
    hasLengthCoercion: (oid) => {
      const baseOid = table.baseTypeOid(oid)
      return hasTypmod(table.elementTypeOid(baseOid) ?? baseOid)
    },
    functionsNamed,
    resolveFunction: (name, argumentOids, options) =>
      resolveFunction(table, functionsNamed(name), name, argumentOids, options),
    resolveOperator: (name, leftOid, rightOid) => {
      const overloads = operatorsNamed(name)
      const resolve = () => resolveOperator(table, overloads, name, leftOid, rightOid)
      return overloads.length === 0
        ? resolve()
        : operators(`${name} ${leftOid} ${rightOid}`, resolve)
    },
    resolveArrayOperator: (name, leftOid, rightOid) =>
      resolveArrayOperator(table, operatorsNamed(name), name, leftOid, rightOid),
    commonType: (candidates, context) => commonType(table, candidates, context),
    coercion: (sourceOid, targetOid, context) => findCoercion(table, sourceOid, targetOid, context),
    comparison: (oid) => comparisonOf(table, equalities, oid),
    wireKind: (oid) => wireKindOf(table, oid),
    parseInput: (oid, typmod, value, mode, nowMs) => {
      const { arrayBounds, numericExponents } = extra
      return parseInput(table, { oid, typmod, mode, nowMs, arrayBounds, numericExponents }, value)
    },
    inputText: (oid, value) => inputText(table, oid, value),
  }
  return system
}

function joined<T>(builtin: readonly T[] = [], extra: readonly T[] = []): readonly T[] {
  return extra.length === 0 ? builtin : [...builtin, ...extra]
}
