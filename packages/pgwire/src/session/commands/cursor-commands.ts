/** @module DECLARE, FETCH, MOVE, CLOSE. */

import type { CursorRows } from '@engine/core/session'
import { wireError } from '../../errors/wire-error.ts'
import { createCursor } from '../cursors/cursor.ts'
import { createCursorPortal } from '../cursors/cursor-portal.ts'
import type { Scroll } from '../cursors/read-rows.ts'
import type { Prepared } from '../parts/prepared.ts'
import type { SessionParts } from '../parts/session-parts.ts'
import type { BoundParameters } from '../results/bound-parameters.ts'
import { type Completion, plainCompletion } from '../results/completion.ts'
import type { Row } from '../results/result-shape.ts'
import type { RowSink } from '../results/row-sink.ts'
import type { SessionCommand } from '../statements/client-statement.ts'
import type { CommandParts } from './command-parts.ts'

type Command<Kind extends SessionCommand['kind']> = Extract<SessionCommand, { readonly kind: Kind }>

/** @throws {GatewayError} 25P01 outside of a transaction, 42P03, and errors of the query. */
export async function declareCursor(
  parts: CommandParts,
  {
    name,
    statement,
    text,
    isScrollable,
    isHeld,
    isInsensitive,
    isBinary,
  }: Command<'declareCursor'>,
  query: Prepared | undefined,
  bound: BoundParameters,
): Promise<Completion> {
  const { block, memory, portals, writer } = parts
  if (!isHeld && !block.isShared()) {
    throw wireError('25P01', 'DECLARE CURSOR can only be used in transaction blocks')
  }
  portals.checkFree(name)
  if (query === undefined) throw wireError('42601', 'a cursor needs a query')
  if (query.kind === 'query' && query.description.isWrite) {
    throw wireError('42P11', 'DECLARE CURSOR must not contain data-modifying statements in WITH')
  }
  block.beginImplicit()
  const rights = parts.client.rights()
  const opened = await parts.openCursor(query, { ...bound, resultFormats: [] })
  const { source, shape, cursor: rows } = opened
  if (shape === undefined) throw wireError('42P11', `cannot open multi-query plan as cursor`)
  if (rows?.isLocking === true) refuseLocks({ isScrollable, isHeld, isInsensitive })
  const formats = isBinary ? [1 as const] : []
  const cursor = createCursor({
    source,
    shape,
    formats,
    scroll: scrollOf(isScrollable, rows),
    width: rows?.width,
    memory,
  })
  portals.add(
    name,
    createCursorPortal(writer, cursor, {
      statement,
      text,
      madeAtMs: parts.clock(),
      isBinary,
      isHeld,
      rights,
      name,
      rows,
      depth: block.depth(),
      fields: shape.fields,
    }),
  )
  return plainCompletion('DECLARE CURSOR')
}

/** A cursor without SCROLL and NO SCROLL moves back where PostgreSQL's does, as long as its rows are few. */
function scrollOf(declared: boolean | undefined, rows: CursorRows | undefined): Scroll {
  if (declared !== undefined) return declared ? 'always' : 'never'
  return rows?.isScrollable === true ? 'whileSmall' : 'never'
}

/** @throws {GatewayError} 0A000, 42P11 */
function refuseLocks({
  isHeld,
  isScrollable,
  isInsensitive,
}: Pick<Command<'declareCursor'>, 'isHeld' | 'isScrollable' | 'isInsensitive'>): void {
  if (isHeld) throw wireError('0A000', 'DECLARE CURSOR WITH HOLD ... FOR UPDATE is not supported')
  if (isScrollable === true) {
    throw wireError('0A000', 'DECLARE SCROLL CURSOR ... FOR UPDATE is not supported')
  }
  if (!isInsensitive) return
  throw wireError('42P11', 'DECLARE INSENSITIVE CURSOR ... FOR UPDATE is not valid')
}

/** @throws {GatewayError} 34000, 55000 */
export async function fetchRows(
  { portals }: SessionParts,
  { name, direction, count, isMove }: Command<'fetch'>,
  sink: RowSink,
): Promise<Completion> {
  const cursor = await portals.get(name, 'cursor').cursor()
  let hasBegun = isMove
  /** Only after it is known that the cursor can move there. */
  const begin = () => {
    if (!hasBegun) sink.begin(cursor.shape, cursor.formats)
    hasBegun = true
  }
  const take = (row: Row) => {
    begin()
    sink.row(row)
  }
  const motion = { direction, count }
  const moved = await (isMove
    ? cursor.move(
        motion,
        () => undefined,
        () => undefined,
      )
    : cursor.move(motion, take, sink.hold))
  begin()
  return { verb: isMove ? 'MOVE' : 'FETCH', count: moved }
}

/** @throws {GatewayError} 34000, 24000 for a portal that closes itself. */
export async function closeCursor(
  { portals }: SessionParts,
  name: string | undefined,
): Promise<Completion> {
  if (name === undefined) {
    await portals.closeAll()
    return plainCompletion('CLOSE CURSOR ALL')
  }
  if (portals.get(name, 'cursor').isActive()) {
    throw wireError('24000', `cannot drop active portal "${name}"`)
  }
  await portals.close(name)
  return plainCompletion('CLOSE CURSOR')
}
