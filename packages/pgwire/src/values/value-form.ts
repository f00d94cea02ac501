/** @module What there is to know of the spelling of one type's values. */
import type { ValueSettings } from './cell-format.ts'

/** Text → text. */
export type Respell = (text: string) => string

/** Without members: every text is a value, and there is no binary form. */
export interface ValueForm {
  /** Cheap: asked for every value. True only for what PostgreSQL prints; absent where that may be anything. */
  readonly isCanonical?: (text: string) => boolean
  /** Returns the binary form; a string means its UTF-8. Undefined for a text that is not canonical. */
  readonly toBinary?: (text: string) => string | Uint8Array | undefined
  /**
   * Undefined for bytes that are no value of the type.
   *
   * @throws {GatewayError} 22021 for bad UTF-8.
   */
  readonly fromBinary?: (bytes: Buffer) => string | undefined
  /** Canonical text → what the client is shown under its settings. Undefined: the same. */
  readonly toSession?: (settings: ValueSettings) => Respell | undefined
  /** A client's text → text that means the same in UTC. Undefined: the same. */
  readonly fromSession?: (settings: ValueSettings) => Respell | undefined
}
