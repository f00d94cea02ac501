import type { WireSurroundings, WireTarget } from './wire-target.ts'

/** Requirements of a check: rows in a PostgreSQL or in a SQLite, or the engine as the server. */
export type Need = 'postgres' | 'sqlite' | 'engine'

/** An action of a client with its expected result. */
export interface DeclaredCheck {
  /** Unique, and a sentence. */
  readonly name: string
  readonly needs: Need | undefined
}

export interface CheckResult {
  readonly name: string
  readonly ok: boolean
  /** The error; empty when the check passed. */
  readonly detail: string
}

/** A client program with many checks. */
export interface WireClient {
  readonly name: string
  readonly checks: readonly DeclaredCheck[]
  /** Why it cannot run on this machine; undefined when it can. */
  missing(): string | undefined
  /**
   * Runs the checks that apply to the target, one after the other.
   *
   * @param firstId keys from this number on are reserved for the client's writes.
   * @throws {Error} when the program breaks before its end.
   */
  run(target: WireTarget, firstId: number): Promise<readonly CheckResult[]>
}

/** Returns whether the check applies to the target. */
export function applies({ needs }: DeclaredCheck, { server, kind }: WireSurroundings): boolean {
  return needs === undefined || needs === server || needs === kind
}
