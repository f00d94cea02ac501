/** @module The text and binary forms of one type's values. */
import type { ClientEncoding } from '../encodings/client-encoding.ts'
import type { ValueSettings } from './cell-format.ts'

/** Text → text. */
export type Respell = (text: string) => string

/** A form without members: every text is a value, and there is no binary form. */
export interface ValueForm {
  /**
   * Fast: called for every value. True only for texts that PostgreSQL prints; absent where PostgreSQL may print any
   * text.
   */
  readonly isCanonical?: (text: string) => boolean
  /** The same form for a client with another encoding than UTF-8. Absent where the binary form holds no text. */
  readonly inEncoding?: (encoding: ClientEncoding) => ValueForm
  /** Returns the binary form; a string means its UTF-8. Undefined for a text that is not canonical. */
  readonly toBinary?: (text: string) => string | Uint8Array | undefined
  /**
   * Undefined for bytes that are not a value of the type.
   *
   * @throws {GatewayError} 22021 for bad UTF-8.
   */
  readonly fromBinary?: (bytes: Buffer) => string | undefined
  /** Canonical text → the text for the client under its settings. Undefined: the same text. */
  readonly toSession?: (settings: ValueSettings) => Respell | undefined
  /** A client's text → text with the same meaning in UTC. Undefined: the same text. */
  readonly fromSession?: (settings: ValueSettings) => Respell | undefined
}
