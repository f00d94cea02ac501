/** @module Runs statements: the engine on some database, or PostgreSQL itself. */
import type { JsonValue } from '@engine/corpus'

export type JsonRows = readonly (readonly JsonValue[])[]

/** Rows, or the reason for their absence. */
export type Outcome =
  | { readonly kind: 'rows'; readonly rows: JsonRows; readonly tables: string | undefined }
  | {
      readonly kind: 'refused'
      /** Status of the engine's answer: as over HTTP. */
      readonly status: number
      /** The part that a client may see: code and message. */
      readonly message: string
      readonly sqlState: string | undefined
      /** SQLSTATE of the database in the log of the engine, where clients get another. */
      readonly loggedState?: string | undefined
    }
