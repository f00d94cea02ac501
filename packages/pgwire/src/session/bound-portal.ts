/** @module A prepared statement with its values: Bind creates it, and Execute runs it, at once or in pieces. */

import { wireError } from '../errors/wire-error.ts'
import type { FieldDescription } from '../protocol/message-writer.ts'
import { type Cursor, createCursor } from './cursors/cursor.ts'
import { executeCursor } from './cursors/cursor-portal.ts'
import type { Portal } from './cursors/portals.ts'
import type { Prepared } from './parts/prepared.ts'
import type { SessionParts } from './parts/session-parts.ts'
import type { BoundParameters } from './results/bound-parameters.ts'
import { type Completion, tagOf } from './results/completion.ts'
import type { LateDescription } from './results/late-description.ts'
import { withFormats } from './results/result-shape.ts'
import { portalSink } from './results/row-sink.ts'
import { sizeOfRow } from './results/session-memory.ts'
import { openPrepared, runPrepared } from './run-statement.ts'

export interface BoundPortalOptions {
  readonly name: string
  readonly prepared: Prepared
  readonly bound: BoundParameters
  /** `format` is 0. Only a statement with rows can be suspended, or executed again. */
  readonly fields: readonly FieldDescription[] | undefined
}

/** A statement whose rows are fetched in pieces. */
interface Opened {
  readonly cursor: Cursor
  readonly completion: Completion
}

export function createBoundPortal(
  parts: SessionParts,
  { name, prepared: given, bound, fields }: BoundPortalOptions,
): Portal {
  let prepared = given
  const { writer, block, memory, client } = parts
  let rights: string | undefined
  let held = sizeOfRow(bound.parameters)
  memory.take(held)
  let hasRun = false
  let isActive = false
  let opened: Opened | undefined
  /** The result of the statement. */
  let finished: Completion | undefined

  const finish = (completion: Completion) => {
    finished = completion
    writer.commandComplete(tagOf(completion))
  }

  const open = async (): Promise<Opened> => {
    hasRun = true
    rights = client.rights()
    const { source, shape, completion } = await openPrepared(parts, prepared, bound)
    if (shape === undefined) throw notRunnable()
    const formats = bound.resultFormats
    opened = {
      cursor: createCursor({ source, shape, formats, scroll: 'never', memory }),
      completion,
    }
    return opened
  }

  const notRunnable = () => wireError('55000', `portal "${name}" cannot be run`)

  const execute = async (maxRows: number, late: LateDescription | undefined) => {
    isActive = true
    try {
      if (maxRows !== 0) late?.finish()
      if (opened === undefined && finished === undefined) {
        if (hasRun) throw notRunnable()
        hasRun = true
        if (maxRows === 0 || fields === undefined) {
          const sink = portalSink(writer, bound.resultFormats, late)
          const completion = await runPrepared(parts, prepared, bound, sink, late !== undefined)
          late?.finish()
          finish(completion)
          return
        }
        await open()
      }
      if (opened !== undefined) {
        await executeCursor(writer, opened.cursor, bound.resultFormats, opened.completion, maxRows)
        return
      }
      if (fields === undefined || finished === undefined) throw notRunnable()
      const { verb, count } = finished
      writer.commandComplete(tagOf({ verb, count: count === undefined ? undefined : 0 }))
    } finally {
      late?.finish()
      isActive = false
    }
  }

  const shown = fields && withFormats(fields, bound.resultFormats)
  return {
    statement: prepared.statement,
    text: prepared.statement.sql,
    madeAtMs: parts.clock(),
    isBinary: false,
    depth: block.depth(),
    fields: shown,
    describe: () => {
      if (prepared.kind === 'query') prepared = { ...prepared, described: prepared.description }
      return shown
    },
    mayChange: prepared.kind === 'query' && shown !== undefined && bound.resultFormats.length < 2,
    isHeld: false,
    isScrollable: false,
    hasRun: () => hasRun,
    openedWith: () => rights,
    isActive: () => isActive,
    execute,
    cursor: async () => {
      if (opened !== undefined) return opened.cursor
      if (hasRun || fields === undefined) throw notRunnable()
      const { cursor } = await open()
      return cursor
    },
    close: () => {
      memory.give(held)
      held = 0
      const left = opened
      opened = undefined
      return left?.cursor.close()
    },
  }
}
