/** @module A statement as a session runs it. */
import type { IsolationLevel } from '@engine/core/adapter'
import type { StatementSettings } from '@engine/core/tree'
import type { ExpectedColumns } from './expected-columns.ts'

/** A statement in its wire form. */
export interface SessionQuery {
  /** Name of the prepared statement: the same name always means the same text. */
  readonly name: string
  readonly text: string
  /** In text format. */
  readonly values: (string | null)[]
  /** Opens a transaction in the same round trip. */
  readonly begin: BeginCommand | undefined
  /** Of the statement; undefined = those that every session has. */
  readonly settings: StatementSettings | undefined
  /** Binds this portal and runs nothing; undefined: reads all rows at once. */
  readonly portal: string | undefined
  /** Compared with what the server reports for the prepared statement; undefined: its rows are not encoded by type. */
  readonly expects: ExpectedColumns | undefined
  /** A DataRow in text format, from `start` to `end`, without its header. The receiver must not keep the bytes. */
  onRow(bytes: Buffer, start: number, end: number): void
  /**
   * Called after rows: a promise stops reading from the server until it resolves. Such an answer may have any size, since
   * it is not buffered.
   */
  readonly hold: (() => Promise<void> | undefined) | undefined
}

/** `begin`, with the modes of the transaction. */
export type BeginCommand = `begin${'' | ` isolation level ${IsolationLevel}`}${'' | ' read only'}`
