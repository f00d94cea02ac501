/** @module Execute of a portal whose cursor may be anywhere among its rows. */
import type { CursorRows } from '@engine/core/session'
import type { Format } from '../../protocol/frontend-message.ts'
import type { FieldDescription, MessageWriter } from '../../protocol/message-writer.ts'
import { type Completion, tagOf } from '../results/completion.ts'
import { portalSink } from '../results/row-sink.ts'
import type { ClientStatement } from '../statements/client-statement.ts'
import { currentRowIn } from './current-row.ts'
import type { Cursor } from './cursor.ts'
import type { Portal } from './portals.ts'

/**
 * The next rows, and the result: suspended when there were as many as requested, whether more are left or not.
 *
 * @param formats that the client has requested: those of a BINARY cursor count for simple queries only
 * @param completion of the whole statement
 * @param maxRows 0 is no limit
 */
export async function executeCursor(
  writer: MessageWriter,
  cursor: Cursor,
  formats: readonly Format[],
  completion: Completion,
  maxRows: number,
): Promise<void> {
  const limit = maxRows === 0 ? Infinity : maxRows
  const sink = portalSink(writer, formats)
  sink.begin(cursor.shape)
  const count = await cursor.move({ direction: 'forward', count: limit }, sink.row, sink.hold)
  if (count === limit) {
    writer.portalSuspended()
    return
  }
  const isCounted = completion.count !== undefined || completion.verb === 'SELECT'
  writer.commandComplete(tagOf({ verb: completion.verb, count: isCounted ? count : undefined }))
}

/** The portal of DECLARE, for FETCH and Execute alike. */
export function createCursorPortal(
  writer: MessageWriter,
  cursor: Cursor,
  {
    name,
    rights,
    rows,
    ...facts
  }: {
    readonly name: string
    readonly rows: CursorRows | undefined
    readonly statement: ClientStatement
    readonly text: string
    readonly madeAtMs: number
    readonly isBinary: boolean
    readonly depth: number
    readonly isHeld: boolean
    readonly rights: string
    readonly fields: readonly FieldDescription[]
  },
): Portal {
  return {
    ...facts,
    get isScrollable() {
      return cursor.isScrollable()
    },
    currentRow: (table) => currentRowIn(name, cursor, rows, table),
    describe: () => facts.fields,
    isActive: () => false,
    hasRun: () => true,
    openedWith: () => rights,
    execute: (maxRows) =>
      executeCursor(writer, cursor, [], { verb: 'SELECT', count: undefined }, maxRows),
    cursor: async () => cursor,
    close: () => cursor.close(),
  }
}
