/** @module Values in the engine's text form (PostgreSQL's text: UTC, ISO dates) ↔ in the form that a client requests. */

import type { TypeSystem } from '@engine/core/catalog'
import type { DateOrder, Oid, SqlType } from '@engine/core/values'
import type { ClientEncoding } from '../encodings/client-encoding.ts'
import type { Format } from '../protocol/frontend-message.ts'
import type { DateOutput } from './date-style.ts'
import type { IntervalStyle } from './interval-style.ts'

/** The session's settings that change the text of values. */
export interface ValueSettings {
  /** See `SessionSettings.timeZone`. */
  readonly timeZone: string
  readonly byteaOutput: 'hex' | 'escape'
  /** The encoding of text in both directions. Undefined is UTF-8. */
  readonly encoding?: ClientEncoding | undefined
  /** Undefined is `postgres`. */
  readonly intervalStyle?: IntervalStyle | undefined
  /** `extra_float_digits`: floats have fewer digits where it is 0 or less. Undefined is 1. */
  readonly extraFloatDigits?: number | undefined
  /** The order in which an ambiguous date is read. Undefined is MDY. */
  readonly dateOrder?: DateOrder | undefined
  /** The style in which dates are written. Undefined is ISO. */
  readonly dateOutput?: DateOutput | undefined
  /** The database has written dates and intervals as the session wants them: they stay as they are. */
  readonly isWritten?: boolean | undefined
  /** `today` and the like stay as they are: of a literal, which a plan keeps. Otherwise they mean the time of the clock. */
  readonly keepsWords?: boolean | undefined
  /** Milliseconds since 1970. A time of day without an offset gets the offset of today. */
  readonly clock: () => number
  /** The OID under which clients know a type that the connection defines; the same OID without this function. */
  readonly wireOid?: (oid: Oid) => Oid
}

/** Text of a value → its form in a DataRow: a string is sent in the encoding of the client. */
export type CellEncoder = (text: string) => string | Uint8Array

/** Bytes of a Bind message → text for the engine. */
export type ParameterDecoder = (bytes: Uint8Array) => string

/**
 * @throws {GatewayError} 22P02 (or 22003) from the encoder for a text that is not a value of the type, with the name of
 * the column: a wrong binary value is never sent. `unsupported` (0A000) at once for a type that has no binary form
 * here.
 */
export type CreateCellEncoder = (
  column: {
    readonly name: string
    readonly typeOid: Oid
    /** Those of a record. */
    readonly fields?: SqlType['fields'] | undefined
  },
  format: Format,
  types: TypeSystem,
  settings: ValueSettings,
) => CellEncoder

/**
 * @throws {GatewayError} 22P03 from the decoder for bytes that are not a value of the type (08P01 for too few), 22021
 * for bad UTF-8. `unsupported` (0A000) at once for a type that has no binary form here.
 */
export type CreateParameterDecoder = (
  parameter: { readonly number: number; readonly typeOid: Oid },
  format: Format,
  types: TypeSystem,
  settings: ValueSettings,
) => ParameterDecoder
