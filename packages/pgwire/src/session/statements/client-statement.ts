/** @module The kinds of statements, before names are resolved: they decide which part of the session runs them. */

import type { GatewayError } from '@engine/core'
import type { IsolationLevel } from '@engine/core/adapter'
import type { PlanLineOptions, SleepFunction } from '@engine/core/session'
import type { ClientEncoding } from '../../encodings/client-encoding.ts'
import type { ConfigAssignment } from './config-assignment.ts'

/** One statement of a text. `sql` is its own part, without the comments before it and the `;` after it. */
export type ClientStatement = {
  readonly sql: string
  /** Characters of the client's text before `sql`: positions of errors count from the start of the whole text. */
  readonly offset: number
} & StatementRoute

/**
 * The part of the session that runs a statement. `empty` is a prepared statement without text: `readStatements` returns
 * none.
 */
export type StatementRoute =
  | { readonly kind: 'empty' }
  /**
   * For the engine: reads and writes of the user's tables, or no table at all. What the engine does not know of a statement
   * without tables (`version()`, `pg_typeof(…)`) is a question to the catalog.
   */
  | { readonly kind: 'query'; readonly isTableless?: true }
  /** Reads the system catalogs. `assignments`: settings that it also changes. */
  | { readonly kind: 'catalog'; readonly assignments?: readonly ConfigAssignment[] }
  /** Controls the session: transactions, settings, prepared statements, cursors, COPY. */
  | { readonly kind: 'command'; readonly command: SessionCommand }
  /**
   * Will be refused: DDL, both kinds of tables in one statement ... The error is sent when the statement's turn comes.
   */
  | { readonly kind: 'refused'; readonly error: GatewayError }

/** A statement's own text, and its position in the client's text. */
export interface StatementText {
  readonly sql: string
  /** In characters. */
  readonly offset: number
  /** `location` of a node → position in `sql`, in characters from 1. */
  readonly positionOf: (location: number) => number
}

/** Routes a statement inside another one. */
export type RouteStatement = (tree: unknown, text: StatementText) => StatementRoute

/** A statement that controls the session. Some contain statements, so the two types refer to each other. */
export type SessionCommand =
  | {
      readonly kind: 'begin'
      readonly modes: TransactionModes
      readonly tag: 'BEGIN' | 'START TRANSACTION'
    }
  | { readonly kind: 'commit'; readonly chain: boolean }
  | { readonly kind: 'rollback'; readonly chain: boolean }
  | { readonly kind: 'savepoint'; readonly name: string }
  | { readonly kind: 'rollbackTo'; readonly name: string }
  | { readonly kind: 'release'; readonly name: string }
  /** SET TRANSACTION, SET transaction_isolation and the like: the tag is `RESET` for a RESET. */
  | { readonly kind: 'setTransaction'; readonly modes: TransactionModes; readonly tag: SetTag }
  | { readonly kind: 'setSessionCharacteristics'; readonly modes: TransactionModes }
  /** `value` undefined: back to the value at the start of the session. */
  | {
      readonly kind: 'set'
      readonly name: string
      readonly value: string | undefined
      readonly isLocal: boolean
      readonly tag: SetTag
    }
  /**
   * `SELECT set_config(…)`: like SET, but answers with one row of one text column: the value as SHOW then prints it.
   * `column` is that column's name.
   */
  | {
      readonly kind: 'setConfig'
      readonly name: string
      readonly value: string | undefined
      readonly isLocal: boolean
      readonly column: string
    }
  | { readonly kind: 'resetAll' }
  /** `name` is `all` for SHOW ALL: columns name, setting, description. */
  | { readonly kind: 'show'; readonly name: string }
  | { readonly kind: 'discard'; readonly what: 'all' | 'plans' | 'sequences' | 'temp' }
  /** `statement` is the text after AS. `parameterTypes` are names as in `TypeName`. */
  | {
      readonly kind: 'prepare'
      /** All of it: `PREPARE … AS …`. */
      readonly text: string
      readonly name: string
      readonly parameterTypes: readonly TypeName[]
      readonly statement: ClientStatement
    }
  /** Arguments as SQL expressions. */
  | { readonly kind: 'execute'; readonly name: string; readonly argumentTexts: readonly string[] }
  | { readonly kind: 'deallocate'; readonly name: string | undefined }
  | {
      readonly kind: 'declareCursor'
      /** All of it: `DECLARE … FOR …`. */
      readonly text: string
      readonly name: string
      readonly statement: ClientStatement
      /** Undefined where the statement has neither SCROLL nor NO SCROLL. */
      readonly isScrollable: boolean | undefined
      readonly isHeld: boolean
      readonly isInsensitive: boolean
      readonly isBinary: boolean
    }
  | {
      readonly kind: 'fetch'
      readonly name: string
      /** `FIRST` is absolute 1, `LAST` absolute -1, `NEXT` forward 1, `PRIOR` backward 1. */
      readonly direction: 'forward' | 'backward' | 'absolute' | 'relative'
      /** Infinity for ALL; may be negative. */
      readonly count: number
      readonly isMove: boolean
    }
  /** All, where no name is given. */
  | { readonly kind: 'closeCursor'; readonly name: string | undefined }
  /** COPY of a table, `source`, has `SELECT … FROM table` as its query: the client did not write this text. */
  | {
      readonly kind: 'copyOut'
      readonly copy: CopyOptions
      readonly query: ClientStatement
      readonly source: CopyTarget | undefined
    }
  | {
      readonly kind: 'copyIn'
      readonly copy: CopyOptions
      readonly target: CopyTarget
      /** The condition of WHERE, as the client wrote it. */
      readonly where?: string
    }
  | {
      readonly kind: 'explain'
      readonly statement: ClientStatement
      readonly options: PlanLineOptions
    }
  /** `SELECT pg_cancel_backend(…)`: `statement` computes the process id. */
  | {
      readonly kind: 'signal'
      readonly signal: 'cancel' | 'terminate'
      readonly statement: ClientStatement
      readonly column: string
    }
  /** `SELECT pg_notify(…)`: `statement` computes the channel and the payload. */
  | {
      readonly kind: 'notifyCall'
      readonly statement: ClientStatement
      readonly column: string
    }
  /** `SELECT pg_sleep(…)`: `statement` computes the arguments, in the columns of the calls. */
  | {
      readonly kind: 'sleep'
      readonly sleeps: readonly SleepColumn[]
      readonly statement: ClientStatement
    }
  | { readonly kind: 'listen'; readonly channel: string }
  /** All, where no channel is given. */
  | { readonly kind: 'unlisten'; readonly channel: string | undefined }
  | { readonly kind: 'notify'; readonly channel: string; readonly payload: string }

export interface SleepColumn {
  readonly name: SleepFunction
  /** Of the column, from 0. */
  readonly index: number
}

/** The transaction modes of a statement; undefined where it sets none. */
export interface TransactionModes {
  readonly isReadOnly: boolean | undefined
  readonly isolation: IsolationLevel | undefined
  readonly isDeferrable: boolean | undefined
}

export type SetTag = 'SET' | 'RESET'

/** A type as SQL names it. */
export interface TypeName {
  readonly schema: string | undefined
  /** `int4`, `timestamptz`: the name in pg_type. */
  readonly name: string
  readonly isArray: boolean
  /** Position in the statement, from 1. */
  readonly position: number
}

export interface CopyTarget {
  /** The first of three names. */
  readonly catalog?: string | undefined
  readonly schema: string | undefined
  readonly table: string
  /** Undefined: all columns that the caller may write. */
  readonly columns: readonly string[] | undefined
}

export interface CopyOptions {
  readonly format: 'text' | 'csv' | 'binary'
  readonly delimiter: string
  readonly nullText: string
  readonly header: 'none' | 'yes' | 'match'
  readonly quote: string
  readonly escape: string
  /** `*` or names. */
  readonly forceQuote: '*' | readonly string[]
  readonly forceNotNull: '*' | readonly string[]
  readonly forceNull: '*' | readonly string[]
  /** Of the lines; undefined: that of the session. */
  readonly encoding?: CopyEncoding | undefined
}

export interface CopyEncoding {
  /** Undefined is UTF-8. */
  readonly client: ClientEncoding | undefined
}
