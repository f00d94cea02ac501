/** @module The character set in which a client sends and reads text, where it is not UTF-8. */

export interface ClientEncoding {
  /** As PostgreSQL spells it: `LATIN1`. */
  readonly name: string
  /**
   * @throws {GatewayError} 22021 for bytes that are no character of the encoding, or NUL; 22P05 for a character without
   * an equivalent in Unicode.
   */
  decode(bytes: Uint8Array): string
  /** @throws {GatewayError} 22P05 for a character that the encoding does not have. */
  encode(text: string): Uint8Array
  /** For texts of the server, as messages of errors: a character that the encoding does not have becomes a question mark. */
  encodeLossy(text: string): Uint8Array
}
