/** How two runs of a program are expected to compare. */
export type Expectation =
  /** Both succeed with the same value. */
  | 'equal'
  /** The gateway says no (4xx) although the database would say yes. */
  | 'refused'
  /** Both say no; the gateway with this HTTP status. */
  | { readonly rejected: number }

/** One operation as a client writes it, runnable through any connection that gives a `Db`. */
export interface Program<Db> {
  /** A sentence of behaviour, unique in its list. */
  readonly name: string
  /** Whether it writes; then it runs between two resets. It touches only the scratch tables. */
  readonly mutates: boolean
  /** Whether every kind of database can answer; if not, others than PostgreSQL may refuse it. */
  readonly portable: boolean
  readonly expect: Expectation
  /** Runs it and resolves to what the user of the client sees. */
  readonly run: (db: Db) => Promise<unknown>
}

/** What differs from the usual: portable, and answered equally. */
export interface ProgramOptions {
  readonly portable?: boolean
  readonly expect?: Expectation
}

/** Makes a program out of a name and a query. */
export type DefineProgram<Db> = (
  name: string,
  run: (db: Db) => PromiseLike<unknown>,
  options?: ProgramOptions,
) => Program<Db>

/** Makes the definers of programs on one kind of client: `read` leaves all data alone, `write` does not. */
export function programsOn<Db>(): {
  readonly read: DefineProgram<Db>
  readonly write: DefineProgram<Db>
} {
  const definer =
    (mutates: boolean): DefineProgram<Db> =>
    (name, run, options = {}) => ({
      name,
      mutates,
      portable: options.portable ?? true,
      expect: options.expect ?? 'equal',
      run: async (db) => await run(db),
    })
  return { read: definer(false), write: definer(true) }
}
