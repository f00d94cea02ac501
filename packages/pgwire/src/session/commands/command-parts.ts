/** @module What commands work with: the session, and other statements that some of them run. */

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
  openPrepared(prepared: Prepared, bound: BoundParameters): Promise<OpenedRows>
}

/** Rows of a statement in pieces. */
export interface OpenedRows {
  readonly source: RowSource
  /** Undefined where there are no rows. */
  readonly shape: ResultShape | undefined
  /** Its number is the rows of the whole statement, where it is known already. */
  readonly completion: Completion
}
