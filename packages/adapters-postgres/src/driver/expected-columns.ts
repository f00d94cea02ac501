/** @module The types of a statement's result: as it was compiled for them, and as the server reports them for what it prepared. */
import { GatewayError } from '@engine/core/adapter'
import type { Oid } from '@engine/core/catalog'

/** What a compiled statement expects of its result. */
export interface ExpectedColumns {
  /** @param reported type OIDs by column, of `reportedColumns`. Returns whether their values are encoded right. */
  accepts(reported: readonly Oid[]): boolean
  /** A write is compared before it runs. A read runs in the same round trip: its rows are thrown away. */
  readonly isWrite: boolean
}

/** @param formOf the encoding of a type's values. */
export function expectColumns(
  expected: readonly Oid[],
  isWrite: boolean,
  formOf: (oid: Oid) => string,
): ExpectedColumns {
  const forms = expected.map(formOf)
  /** Nearly always the same, in every session. */
  let accepted: readonly Oid[] | undefined
  return {
    isWrite,
    accepts: (reported) => {
      if (reported === accepted) return true
      const isAsBound =
        reported.length >= forms.length &&
        forms.every((form, index) => form === formOf(reported[index] as Oid))
      if (isAsBound) accepted = reported
      return isAsBound
    },
  }
}

/** @throws {GatewayError} `staleCatalog` when a value would be encoded as that of another type. */
export function requireColumns(
  expected: ExpectedColumns | undefined,
  reported: readonly Oid[],
): void {
  if (expected !== undefined && !expected.accepts(reported)) {
    throw new GatewayError('staleCatalog', 'The type of a column has changed.')
  }
}

const known = new Map<string, readonly Oid[]>()
const mostKnown = 10_000

/** The same object for the same types, so that they are compared once. */
export function reportedColumns(types: readonly Oid[]): readonly Oid[] {
  const key = types.join()
  const same = known.get(key)
  if (same !== undefined) return same
  if (known.size === mostKnown) known.clear()
  known.set(key, types)
  return types
}
