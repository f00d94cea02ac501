/** @module Portals and cursors of a session: the protocol and SQL know them by the same names. */

import { wireError } from '../../errors/wire-error.ts'
import type { FieldDescription } from '../../protocol/message-writer.ts'
import type { ClientStatement } from '../statements/client-statement.ts'
import type { Cursor } from './cursor.ts'

/** Something that gives rows in pieces: Bind makes it, or DECLARE. */
export interface Portal {
  readonly statement: ClientStatement
  /** Of the savepoints that were there when it was made. */
  readonly depth: number
  /** As the client gets them; undefined where there are no rows. */
  readonly fields: readonly FieldDescription[] | undefined
  /** It outlives its transaction. */
  readonly isHeld: boolean
  readonly isScrollable: boolean
  /** Execute is running it now. */
  readonly isActive: () => boolean
  /** It ran before: Execute continues it without being admitted again. */
  readonly hasRun: () => boolean
  /** The rights that its rows were chosen by, see `ClientSession.rights`; undefined while it has none. */
  readonly openedWith: () => string | undefined
  /**
   * Runs it, or goes on where it was suspended, and says how it ended.
   *
   * @param maxRows 0 is no limit.
   */
  execute(maxRows: number): Promise<void>
  /** The place among its rows, for FETCH and MOVE. */
  cursor(): Promise<Cursor>
  /** Undefined where there is nothing to close. */
  close(): Promise<void> | undefined
}

export interface Portals {
  /** @throws {GatewayError} 34000 for a name that is not there. @param what how the message calls it */
  get(name: string, what: 'portal' | 'cursor'): Portal
  find(name: string): Portal | undefined
  /** @throws {GatewayError} 42P03 for a name that is taken; 53400 when there are too many. */
  checkFree(name: string): void
  add(name: string, portal: Portal): void
  /** Undefined where there is nothing to close. */
  close(name: string): Promise<void> | undefined
  /** All portals but the running one. */
  closeAll(): Promise<void>
  /**
   * Those whose rows were chosen by other rights than these.
   *
   * @returns their names; undefined where there are none.
   */
  closeOthers(rights: () => string): Promise<readonly string[]> | undefined
  all(): Iterable<readonly [name: string, portal: Portal]>
  /** Before a COMMIT: cursors WITH HOLD are read to their end. */
  settle(): Promise<void>
  /** The transaction, or what came after a savepoint, is over. */
  drop(depth: number, isCommitted: boolean): Promise<void> | undefined
  /** Savepoints deeper than this are forgotten: what was made after them belongs to those that are left. */
  lift(depth: number): void
}

/** @param limit how many there may be at once */
export function createPortals(limit: number): Portals {
  const portals = new Map<string, Portal>()
  /** Of transactions that have been committed: nothing but CLOSE ends them. */
  const settled = new WeakSet<Portal>()
  const depths = new WeakMap<Portal, number>()
  const depthOf = (portal: Portal): number => depths.get(portal) ?? portal.depth

  const close = (name: string): Promise<void> | undefined => {
    const portal = portals.get(name)
    if (portal === undefined) return undefined
    portals.delete(name)
    return portal.close()
  }

  /** One after the other: undefined where none takes any time. */
  const closeEach = (names: readonly string[]): Promise<void> | undefined => {
    for (const [i, name] of names.entries()) {
      const closing = close(name)
      if (closing !== undefined) return closing.then(() => closeEach(names.slice(i + 1)))
    }
    return undefined
  }

  return {
    get: (name, what) => {
      const portal = portals.get(name)
      if (portal === undefined) throw wireError('34000', `${what} "${name}" does not exist`)
      return portal
    },
    find: (name) => portals.get(name),
    checkFree: (name) => {
      if (portals.has(name)) throw wireError('42P03', `cursor "${name}" already exists`)
      if (portals.size < limit) return
      throw wireError('53400', `there are ${limit} portals already: close some`, 'limitExceeded')
    },
    add: (name, portal) => void portals.set(name, portal),
    close,
    all: () => portals,
    closeAll: async () =>
      closeEach([...portals].flatMap(([name, portal]) => (portal.isActive() ? [] : [name]))),
    closeOthers: (rights) => {
      const opened = [...portals].filter(([, portal]) => portal.openedWith() !== undefined)
      if (opened.length === 0) return undefined
      const now = rights()
      const names = opened.flatMap(([name, portal]) => (portal.openedWith() === now ? [] : [name]))
      if (names.length === 0) return undefined
      return Promise.resolve(closeEach(names)).then(() => names)
    },
    settle: async () => {
      for (const portal of portals.values()) {
        if (!portal.isHeld || settled.has(portal)) continue
        const cursor = await portal.cursor()
        await cursor.settle()
      }
    },
    drop: (depth, isCommitted) => {
      const leaving: string[] = []
      for (const [name, portal] of portals) {
        if (settled.has(portal) || depthOf(portal) < depth) continue
        if (isCommitted && portal.isHeld) settled.add(portal)
        else leaving.push(name)
      }
      return closeEach(leaving)
    },
    lift: (depth) => {
      for (const portal of portals.values()) {
        if (depthOf(portal) > depth) depths.set(portal, depth)
      }
    },
  }
}
