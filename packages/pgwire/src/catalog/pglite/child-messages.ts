/** @module Messages between the process of an embedded PostgreSQL and its parent. */

export interface ChildSetup {
  /** Of @electric-sql/pglite. */
  readonly packageUrl: string
  /** The data directory it starts from: a file, tar and gzip. */
  readonly archivePath: string
  /** Maximum memory, in pages of 64 KB. A statement that needs more fails with 53200. */
  readonly maxMemoryPages: number
  /** Larger answers are thrown away. */
  readonly maxAnswerBytes: number
}

/**
 * Messages of the wire protocol, in the order in which they are sent. Each group is answered with as many
 * `ReadyForQuery` as it requests.
 */
export interface ChildRequest {
  readonly opening: Uint8Array
  /** Parses and describes; undefined where the group has nothing but the opening. */
  readonly statement: Uint8Array | undefined
  /** Sent only where the statement is valid and has result columns: no other statement is ever run. */
  readonly execution: Uint8Array | undefined
  /** Sent in any case. */
  readonly closing: Uint8Array
}

export interface ChildAnswer {
  readonly kind: 'answer'
  readonly opening: Uint8Array
  /** Empty where it was not sent. */
  readonly statement: Uint8Array
  /** Empty where it was not sent. */
  readonly execution: Uint8Array
  /** Resident, of the whole process. */
  readonly memoryBytes: number
}

export type ChildReply =
  | { readonly kind: 'ready' }
  /** PostgreSQL did not start. */
  | { readonly kind: 'failed'; readonly message: string }
  | ChildAnswer
  /** The answer was larger than `maxAnswerBytes`. */
  | { readonly kind: 'tooLarge' }
  /** The state of PostgreSQL is unknown: the process ends. */
  | { readonly kind: 'broken'; readonly message: string }
