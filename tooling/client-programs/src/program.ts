/** The expected comparison of two runs of a program. */
export type Expectation =
  /** Both succeed with the same value. */
  | 'equal'
  /** The gateway refuses it (4xx) although the database accepts it. */
  | 'refused'
  /** Both refuse it; the gateway with this HTTP status. */
  | { readonly rejected: number }

/** One operation in the form of a client program, for any connection that provides a `Db`. */
export interface Program<Db> {
  /** A sentence of behaviour, unique in its list. */
  readonly name: string
  /** Whether it writes; then it runs between two resets. It uses only the scratch tables. */
  readonly mutates: boolean
  /** Whether every kind of database supports it; if not, others than PostgreSQL may refuse it. */
  readonly portable: boolean
  readonly expect: Expectation
  /** Runs it and resolves to what the user of the client sees. */
  readonly run: (db: Db) => Promise<unknown>
}

/** Differences from the default: portable, with equal answers. */
export interface ProgramOptions {
  readonly portable?: boolean
  readonly expect?: Expectation
}

/** Creates a program from a name and a query. */
export type DefineProgram<Db> = (
  name: string,
  run: (db: Db) => PromiseLike<unknown>,
  options?: ProgramOptions,
) => Program<Db>

/**
 * Creates the functions that define programs for one kind of client: `read` for programs that only read, `write` for
 * the others.
 */
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
