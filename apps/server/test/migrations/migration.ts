/** @module A history of schema changes, and statements whose answers are known in every state of it. */

/** One change, as a migration tool generates it. */
export interface Migration {
  /** Also the name of the state after it. */
  readonly name: string
  /** Statements of the database, separated by `;`. */
  readonly sql: string
}

/** Rows of cells in PostgreSQL's text format; `refused`: a clear refusal, never an error of the server. */
export type ProbeAnswer = readonly (readonly (string | null)[])[] | 'refused'

/** A statement that clients send again and again. */
export interface Probe {
  readonly name: string
  readonly sql: string
  readonly params?: readonly string[]
  /** `clerk` sees only part of the rows, and the columns that existed at the start. */
  readonly caller?: 'admin' | 'clerk'
  /** Its answer from a state on; the first entry is `start`. */
  readonly answers: Readonly<Record<string, ProbeAnswer>>
}

export interface History {
  /** Creates the first state. */
  readonly start: string
  readonly migrations: readonly Migration[]
  readonly probes: readonly Probe[]
}

/**
 * The answer of a probe in each state: index 0 is the start.
 *
 * @throws {Error} for the name of a state that does not exist.
 */
export function answersByState(
  { answers, name }: Probe,
  migrations: readonly Migration[],
): readonly ProbeAnswer[] {
  const states = ['start', ...migrations.map((migration) => migration.name)]
  const unknown = Object.keys(answers).find((state) => !states.includes(state))
  if (unknown !== undefined) throw new Error(`probe ${name}: there is no migration "${unknown}"`)
  const byState: ProbeAnswer[] = []
  let current: ProbeAnswer = 'refused'
  for (const state of states) {
    current = answers[state] ?? current
    byState.push(current)
  }
  return byState
}
