/**
 * @module The behaviour of a database that permissions, limits and sessions depend on. They read these traits, never the name of
 * a database. Every trait has a safe default: a database whose adapter sets no trait is as secure as any other, but perhaps
 * slower.
 */

/** Isolation levels of a transaction, from the weakest to the strictest. */
export type IsolationLevel =
  | 'read uncommitted'
  | 'read committed'
  | 'repeatable read'
  | 'serializable'

/** A form in which a database explains how it would run a statement. */
export type PlanFormat = 'text' | 'json' | 'xml' | 'yaml'

/** What the engine has to know about a database; an adapter states what differs from the default. */
export interface DatabaseTraits {
  /**
   * The planner replaces a column by another that a join makes equal to it, in every condition: a condition on one table may be
   * evaluated on hidden rows of another, which it does not name.
   *
   * @defaultValue true: every filtered table of a statement with a leaky condition gets a barrier.
   */
  readonly carriesConditionsAcrossJoins?: boolean
  /**
   * Rows of a recursive WITH query are passed on one by one and not stored, so that an endless recursion fills neither memory nor
   * disk.
   *
   * @defaultValue false: rows are counted, and one too many is an error.
   */
  readonly streamsRecursion?: boolean
  /**
   * - `pooled`: each transaction has one of the connections of the pool to itself.
   * - `shared`: transactions take no connection from each other.
   *
   * @defaultValue `pooled`: clients may hold three quarters of `pool.max` open.
   */
  readonly transactionsAtATime?: 'pooled' | 'shared'
  /**
   * The weakest isolation level at which every statement of a transaction that writes sees one state of the database, apart from
   * the transaction's own writes; a conflict with another writer is SQLSTATE 40001.
   *
   * @defaultValue none: an error of a checked write that depends on rows is never reported.
   */
  readonly oneStateIsolation?: IsolationLevel
  /**
   * Forms that `Adapter.planLines` supports.
   *
   * @defaultValue `['text']`
   */
  readonly planFormats?: readonly PlanFormat[]
  /**
   * Statements run with `CompiledStatement.settings`: in other zones than UTC, and in all styles of dates.
   *
   * @defaultValue false: everything is computed in UTC, and in the style ISO.
   */
  readonly sessionSettings?: boolean
  /**
   * Has pg_sleep(), which the time limit of a statement and a cancelled request end.
   *
   * @defaultValue false
   */
  readonly sleeps?: boolean
  /**
   * A row is a value: `select t from t`, `row(1, 2)::pair`, `(c).field`, with PostgreSQL's semantics.
   *
   * @defaultValue false: a row is refused, except as an argument of functions that make JSON of it.
   */
  readonly rowValues?: boolean
  /**
   * An array keeps the bounds of its dimensions: `'[0:1]={1,2}'`.
   *
   * @defaultValue false: every dimension begins at 1.
   */
  readonly arrayBounds?: boolean
  /**
   * A numeric has up to 131 072 digits before the point and 16 383 after it, and its text may have an exponent: `9e131071`.
   *
   * @defaultValue false: a text that stands for more than some hundred zeros is out of range.
   */
  readonly numericExponents?: boolean
  /**
   * TABLESAMPLE with the methods SYSTEM and BERNOULLI, as in PostgreSQL.
   *
   * @defaultValue false: TABLESAMPLE is refused.
   */
  readonly tableSamples?: boolean
  /**
   * A call takes an array in the place of the arguments of its variadic parameter: `concat(variadic names)`.
   *
   * @defaultValue false: VARIADIC is refused.
   */
  readonly variadicCalls?: boolean
}

/** Traits with their defaults. */
export type KnownTraits = Required<Omit<DatabaseTraits, 'oneStateIsolation'>> &
  Pick<DatabaseTraits, 'oneStateIsolation'>

const careful: KnownTraits = {
  carriesConditionsAcrossJoins: true,
  streamsRecursion: false,
  transactionsAtATime: 'pooled',
  planFormats: ['text'],
  sessionSettings: false,
  sleeps: false,
  rowValues: false,
  arrayBounds: false,
  numericExponents: false,
  tableSamples: false,
  variadicCalls: false,
}

/**
 * All traits of a database, with the careful default for each that its adapter does not declare.
 *
 * @param traits the traits that an adapter declares for its database; undefined: none.
 */
export function knownTraits(traits: DatabaseTraits | undefined): KnownTraits {
  return { ...careful, ...traits }
}
