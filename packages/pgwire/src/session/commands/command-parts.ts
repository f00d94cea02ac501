/** @module The dependencies of commands: the session, and other statements that some commands run. */

import type { CursorRows } from '@engine/core/session'
import type { Prepared } from '../parts/prepared.ts'
import type { SessionParts } from '../parts/session-parts.ts'
import type { BoundParameters } from '../results/bound-parameters.ts'
import type { Completion } from '../results/completion.ts'
import type { ResultShape } from '../results/result-shape.ts'
import type { RowSink } from '../results/row-sink.ts'
import type { RowSource } from '../results/row-source.ts'

/** The session, and how a command runs a statement that it names. */
export interface CommandParts extends SessionParts {
  runPrepared(prepared: Prepared, bound: BoundParameters, sink: RowSink): Promise<Completion>
  /** Opens the query of a cursor. */
  openCursor(prepared: Prepared, bound: BoundParameters): Promise<OpenedRows>
}

/** Rows of a statement in pieces. */
export interface OpenedRows {
  readonly source: RowSource
  /** Undefined for a statement without rows. */
  readonly shape: ResultShape | undefined
  /** Its number counts the rows of the whole statement, where it is already known. */
  readonly completion: Completion
  /** Of the query of a cursor, where the engine runs it. */
  readonly cursor?: CursorRows | undefined
}
