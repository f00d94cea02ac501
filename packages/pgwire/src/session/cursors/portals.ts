/** @module Portals and cursors of a session: the protocol and SQL use the same names for them. */

import type { CursorReference, RowPlaceTexts } from '@engine/core/session'
import { wireError } from '../../errors/wire-error.ts'
import type { FieldDescription } from '../../protocol/message-writer.ts'
import type { LateDescription } from '../results/late-description.ts'
import type { ClientStatement } from '../statements/client-statement.ts'
import type { Cursor } from './cursor.ts'

/** A source of rows in pieces: Bind or DECLARE creates it. */
export interface Portal {
  readonly statement: ClientStatement
  /** As the client sent it: `DECLARE … FOR …`. */
  readonly text: string
  /** Milliseconds since 1970. */
  readonly madeAtMs: number
  readonly isBinary: boolean
  /** Number of savepoints when the portal was created. */
  readonly depth: number
  /** The fields that the client gets; undefined for a statement without rows. */
  readonly fields: readonly FieldDescription[] | undefined
  /** The client gets a description of `fields`: the answer must have them. */
  describe(): readonly FieldDescription[] | undefined
  /** Its columns may still change when it runs, so that its description can wait until then. */
  readonly mayChange?: boolean
  /** The portal stays open after its transaction. */
  readonly isHeld: boolean
  readonly isScrollable: boolean
  /** Execute is running it now. */
  readonly isActive: () => boolean
  /** It ran before: Execute continues it without being admitted again. */
  readonly hasRun: () => boolean
  /** The rights that selected its rows, see `ClientSession.rights`; undefined while it has no rows. */
  readonly openedWith: () => string | undefined
  /**
   * Runs the portal, or continues it after a suspension, and sends the result.
   *
   * @param maxRows 0 is no limit.
   * @param late the description that the client waits for, if `mayChange`
   */
  execute(maxRows: number, late?: LateDescription): Promise<void>
  /**
   * The place of its current row in a table; only for a portal of DECLARE.
   *
   * @throws {GatewayError} 24000
   */
  currentRow?(table: CursorReference['table']): RowPlaceTexts
  /** The position among its rows, for FETCH and MOVE. */
  cursor(): Promise<Cursor>
  /** Undefined where there is nothing to close. */
  close(): Promise<void> | undefined
}

export interface Portals {
  /** @throws {GatewayError} 34000 for a name that does not exist. @param what the word that the message uses */
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
   * Closes the portals whose rows were selected with other rights than these.
   *
   * @returns their names; undefined where there are none.
   */
  closeOthers(rights: () => string): Promise<readonly string[]> | undefined
  all(): Iterable<readonly [name: string, portal: Portal]>
  /** Is it held from a transaction that was committed? */
  isSettled(portal: Portal): boolean
  /** Before a COMMIT: cursors WITH HOLD are read to their end. */
  settle(): Promise<void>
  /** The transaction, or the part after a savepoint, has ended. */
  drop(depth: number, isCommitted: boolean): Promise<void> | undefined
  /** Savepoints deeper than this are released: objects created after them belong to the remaining savepoints. */
  lift(depth: number): void
}

/** @param limit how many there may be at once */
export function createPortals(limit: number): Portals {
  return new SessionPortals(limit)
}

/** A class: one exists for each session, and its functions are shared by all (decision 0088). */
class SessionPortals implements Portals {
  readonly #limit: number
  /** Empty maps take memory, too: undefined until there is a portal. */
  #portals: Map<string, Portal> | undefined
  /** Portals of committed transactions: only CLOSE ends them. */
  #settled: WeakSet<Portal> | undefined
  #depths: WeakMap<Portal, number> | undefined

  constructor(limit: number) {
    this.#limit = limit
  }

  get(name: string, what: 'portal' | 'cursor'): Portal {
    const portal = this.#portals?.get(name)
    if (portal === undefined) throw wireError('34000', `${what} "${name}" does not exist`)
    return portal
  }

  find(name: string): Portal | undefined {
    return this.#portals?.get(name)
  }

  checkFree(name: string): void {
    if (this.#portals === undefined) return
    if (this.#portals.has(name)) throw wireError('42P03', `cursor "${name}" already exists`)
    if (this.#portals.size < this.#limit) return
    const message = `there are ${this.#limit} portals already: close some`
    throw wireError('53400', message, 'limitExceeded')
  }

  add(name: string, portal: Portal): void {
    this.#portals ??= new Map()
    this.#portals.set(name, portal)
  }

  close(name: string): Promise<void> | undefined {
    const portal = this.#portals?.get(name)
    if (portal === undefined) return undefined
    this.#portals?.delete(name)
    return portal.close()
  }

  all(): Iterable<readonly [name: string, portal: Portal]> {
    return this.#portals ?? nothing
  }

  async closeAll(): Promise<void> {
    const names = [...this.all()].flatMap(([name, portal]) => (portal.isActive() ? [] : [name]))
    await this.#closeEach(names)
  }

  closeOthers(rights: () => string): Promise<readonly string[]> | undefined {
    let opened: (readonly [name: string, portal: Portal])[] | undefined
    for (const entry of this.all()) {
      if (entry[1].openedWith() === undefined) continue
      opened ??= []
      opened.push(entry)
    }
    if (opened === undefined) return undefined
    const now = rights()
    const names = opened.flatMap(([name, portal]) => (portal.openedWith() === now ? [] : [name]))
    if (names.length === 0) return undefined
    return Promise.resolve(this.#closeEach(names)).then(() => names)
  }

  isSettled(portal: Portal): boolean {
    return this.#settled?.has(portal) === true
  }

  async settle(): Promise<void> {
    for (const [, portal] of this.all()) {
      if (!portal.isHeld || this.#settled?.has(portal)) continue
      const cursor = await portal.cursor()
      await cursor.settle()
    }
  }

  drop(depth: number, isCommitted: boolean): Promise<void> | undefined {
    const leaving: string[] = []
    for (const [name, portal] of this.all()) {
      if (this.#settled?.has(portal) || this.#depthOf(portal) < depth) continue
      if (isCommitted && portal.isHeld) {
        this.#settled ??= new WeakSet()
        this.#settled.add(portal)
      } else leaving.push(name)
    }
    return this.#closeEach(leaving)
  }

  lift(depth: number): void {
    for (const [, portal] of this.all()) {
      if (this.#depthOf(portal) <= depth) continue
      this.#depths ??= new WeakMap()
      this.#depths.set(portal, depth)
    }
  }

  #depthOf(portal: Portal): number {
    return this.#depths?.get(portal) ?? portal.depth
  }

  /** Closes one after the other; undefined where nothing has to be awaited. */
  #closeEach(names: readonly string[]): Promise<void> | undefined {
    for (const [i, name] of names.entries()) {
      const closing = this.close(name)
      if (closing !== undefined) return closing.then(() => this.#closeEach(names.slice(i + 1)))
    }
    return undefined
  }
}

const nothing: readonly never[] = []
