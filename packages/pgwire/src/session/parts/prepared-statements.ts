/** @module Statements that a client has prepared, by Parse or by PREPARE: both use the same names. */

import { wireError } from '../../errors/wire-error.ts'
import type { SessionMemory } from '../results/session-memory.ts'
import type { Prepared } from './prepared.ts'

export interface PreparedStatements {
  /** @throws {GatewayError} 26000 for a name that does not exist; the empty name is the unnamed statement. */
  get(name: string): Prepared
  find(name: string): Prepared | undefined
  has(name: string): boolean
  /**
   * @throws {GatewayError} 42P05 for a name that is taken, except the empty one; 53400 when there are too many, 53200
   * when their total size is too large.
   * @param prepareText of PREPARE; undefined for Parse
   */
  add(name: string, prepared: Prepared, prepareText?: string): void
  /** Replaces a statement by its form after a change of a catalog; nothing, if it no longer exists. */
  replace(name: string, prepared: Prepared): void
  delete(name: string): boolean
  clear(): void
  /** The named statements. */
  named(): readonly NamedStatement[]
}

export interface NamedStatement {
  readonly name: string
  readonly prepared: Prepared
  /** As the client sent it: `PREPARE … AS …`. */
  readonly text: string
  /** By PREPARE, not by Parse. */
  readonly isFromSql: boolean
  /** Milliseconds since 1970. */
  readonly madeAtMs: number
}

/** Approximate bytes of a statement besides its text. */
const overhead = 512

function sizeOf(text: string): number {
  return overhead + 2 * text.length
}

/** @param limit maximum number of statements */
export function createPreparedStatements(
  limit: number,
  memory: SessionMemory,
  clock: () => number,
): PreparedStatements {
  return new SessionStatements(limit, memory, clock)
}

/** A class: one exists for each session, and its functions are shared by all (decision 0088). */
class SessionStatements implements PreparedStatements {
  readonly #limit: number
  readonly #memory: SessionMemory
  readonly #clock: () => number
  /** Empty maps take memory, too: undefined until there is a statement. */
  #statements: Map<string, NamedStatement> | undefined

  constructor(limit: number, memory: SessionMemory, clock: () => number) {
    this.#limit = limit
    this.#memory = memory
    this.#clock = clock
  }

  get(name: string): Prepared {
    const found = this.#statements?.get(name)
    if (found !== undefined) return found.prepared
    throw wireError(
      '26000',
      name === ''
        ? 'unnamed prepared statement does not exist'
        : `prepared statement "${name}" does not exist`,
    )
  }

  find(name: string): Prepared | undefined {
    return this.#statements?.get(name)?.prepared
  }

  has(name: string): boolean {
    return this.#statements?.has(name) === true
  }

  add(name: string, prepared: Prepared, prepareText?: string): void {
    this.#statements ??= new Map()
    const statements = this.#statements
    if (name !== '' && statements.has(name)) {
      throw wireError('42P05', `prepared statement "${name}" already exists`)
    }
    if (statements.size >= this.#limit && !statements.has(name)) {
      throw wireError(
        '53400',
        `there are ${this.#limit} prepared statements already: deallocate some`,
        'limitExceeded',
      )
    }
    this.delete(name)
    const text = prepareText ?? prepared.statement.sql
    this.#memory.take(sizeOf(text))
    const isFromSql = prepareText !== undefined
    statements.set(name, { name, prepared, text, isFromSql, madeAtMs: this.#clock() })
  }

  replace(name: string, prepared: Prepared): void {
    const known = this.#statements?.get(name)
    if (known !== undefined) this.#statements?.set(name, { ...known, prepared })
  }

  delete(name: string): boolean {
    const known = this.#statements?.get(name)
    if (known === undefined) return false
    this.#memory.give(sizeOf(known.text))
    return this.#statements?.delete(name) === true
  }

  clear(): void {
    for (const name of [...(this.#statements?.keys() ?? [])]) this.delete(name)
  }

  named(): readonly NamedStatement[] {
    return [...(this.#statements?.values() ?? [])].filter(({ name }) => name !== '')
  }
}
