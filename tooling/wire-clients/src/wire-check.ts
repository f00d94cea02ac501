import type { WireSurroundings, WireTarget } from './wire-target.ts'

/** What a check cannot do without: rows in a PostgreSQL or in a SQLite, or the engine as the server. */
export type Need = 'postgres' | 'sqlite' | 'engine'

/** Something a client does and must see. */
export interface DeclaredCheck {
  /** Unique, and a sentence. */
  readonly name: string
  readonly needs: Need | undefined
}

export interface CheckResult {
  readonly name: string
  readonly ok: boolean
  /** What went wrong; empty when it held. */
  readonly detail: string
}

/** A client program of many checks. */
export interface WireClient {
  readonly name: string
  readonly checks: readonly DeclaredCheck[]
  /** Why it cannot run on this machine; undefined when it can. */
  missing(): string | undefined
  /**
   * Runs the checks that apply to the target, one after the other.
   *
   * @param firstId keys from here on are the client's to write.
   * @throws {Error} when the program breaks before its end.
   */
  run(target: WireTarget, firstId: number): Promise<readonly CheckResult[]>
}

/** Does the check make sense there? */
export function applies({ needs }: DeclaredCheck, { server, kind }: WireSurroundings): boolean {
  return needs === undefined || needs === server || needs === kind
}
