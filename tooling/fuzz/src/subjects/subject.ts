/** @module What answers a statement: the engine before some database, or PostgreSQL itself. */
import type { JsonValue } from '@engine/corpus'

export type JsonRows = readonly (readonly JsonValue[])[]

/** Rows, or why there are none. */
export type Outcome =
  | { readonly kind: 'rows'; readonly rows: JsonRows; readonly tables: string | undefined }
  | {
      readonly kind: 'refused'
      /** Of the engine: as over HTTP. */
      readonly status: number
      /** What a client may see: code and message. */
      readonly message: string
      readonly sqlState: string | undefined
      /** SQLSTATE of the database in the log of the engine, where clients get another. */
      readonly loggedState?: string | undefined
    }
