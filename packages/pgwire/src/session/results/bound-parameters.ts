/** @module Values that came with Bind. */

import { GatewayError } from '@engine/core'
import type { Cells } from '@engine/core/adapter'
import type { TypeSystem } from '@engine/core/catalog'
import type { StatementDescription } from '@engine/core/session'
import { type Oid, oids, type SqlType } from '@engine/core/values'
import { protocolViolation } from '../../errors/wire-error.ts'
import type { Format } from '../../protocol/frontend-message.ts'
import type { ParameterDecoder, ValueSettings } from '../../values/cell-format.ts'
import { createParameterDecoder } from '../../values/create-parameter-decoder.ts'
import { formatAt } from './result-shape.ts'

export interface BoundParameters {
  readonly parameters: readonly (Uint8Array | null)[]
  /** None: text for all. One: it applies to all. */
  readonly parameterFormats: readonly Format[]
  readonly resultFormats: readonly Format[]
  /** `parameters` in the engine's form, where that is known already. */
  readonly cells?: Cells | undefined
}

/** For statements without parameters, answered in text. */
export const noParameters: BoundParameters = {
  parameters: [],
  parameterFormats: [],
  resultFormats: [],
}

/**
 * @param count how many the statement has
 * @throws {GatewayError} 08P01
 */
export function checkParameters(
  { parameters, parameterFormats }: BoundParameters,
  count: number,
  statementName: string,
): void {
  const { length } = parameters
  const { length: formatCount } = parameterFormats
  if (formatCount > 1 && formatCount !== length) {
    throw protocolViolation(
      `bind message has ${formatCount} parameter formats but ${length} parameters`,
    )
  }
  if (length !== count) {
    throw protocolViolation(
      `bind message supplies ${length} parameters, but prepared statement "${statementName}" requires ${count}`,
    )
  }
}

/** Values for the engine, `cells[0]` is `$1`. */
export type ReadParameters = (bound: BoundParameters, values: ValueSettings) => Cells

/**
 * Caches the decoders of the latest formats.
 *
 * @param wireOid the OID under which a client knows a type
 * @param described the types that the client knows, for values in binary form
 * @throws {GatewayError} from the reader: 22P02, 22003 ... for an invalid value, with PostgreSQL's message at Bind
 */
export function createParameterReader(
  { parameterTypes, types }: Pick<StatementDescription, 'parameterTypes' | 'types'>,
  wireOid: (oid: Oid) => Oid = (oid) => oid,
  described: Pick<StatementDescription, 'parameterTypes' | 'types'> = { parameterTypes, types },
): ReadParameters {
  let last:
    | { readonly key: string; readonly values: ValueSettings; readonly read: ReadCells }
    | undefined

  const readerOf = (formats: readonly Format[], values: ValueSettings): ReadCells => {
    const decoders = parameterTypes.map((type, i) => {
      const settings = { ...values, wireOid }
      const decoder = (oid: Oid, of: TypeSystem) =>
        createParameterDecoder({ number: i + 1, typeOid: oid }, formatAt(formats, i), of, settings)
      if (formatAt(formats, i) === 0) return checked(decoder(type.oid, types), type, types)
      const known = described.parameterTypes[i] ?? type
      const decode = decoder(known.oid, described.types)
      return known.oid === type.oid ? decode : checked(decode, type, types)
    })
    return (parameters) =>
      parameters.map((bytes, i) => (bytes === null ? null : (decoders[i]?.(bytes) ?? null)))
  }

  return ({ parameters, parameterFormats, cells }, values) => {
    if (cells !== undefined) return cells
    if (parameters.length === 0) return []
    const key = parameterFormats.join('')
    if (last?.key !== key || last.values !== values) {
      last = { key, values, read: readerOf(parameterFormats, values) }
    }
    return last.read(parameters)
  }
}

type ReadCells = (parameters: BoundParameters['parameters']) => Cells

/** Checks text parameters at Bind; the engine reads them later. */
function checked(
  decode: ParameterDecoder,
  { oid, typmod }: SqlType,
  types: TypeSystem,
): ParameterDecoder {
  if (types.typeByOid(oid) === undefined || isTextual(types, oid)) return decode
  return (bytes) => {
    const text = decode(bytes)
    const read = types.parseInput(oid, typmod, text, 'explicit')
    if (read.ok) return text
    throw new GatewayError('invalidParameter', read.message, { sqlState: read.sqlState })
  }
}

/** Every text is a value of these types. */
function isTextual(types: TypeSystem, oid: Oid): boolean {
  const base = types.baseTypeOid(oid)
  return base === oids.text || base === oids.varchar || base === oids.bpchar
}
