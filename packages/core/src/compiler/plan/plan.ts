import type { OutputColumn } from '../bind/tree/bound-query.ts'
import type { CursorReference } from '../bind/tree/current-row.ts'
import type { StatementSettings } from '../bind/tree/statement-settings.ts'
import type { Operation } from '../catalog/operation.ts'
import type { ValueSource } from '../sql-types/value-source.ts'

/** The form of an authorized statement that an adapter compiles: native SQL and the sources of its parameters. */
export interface CompiledStatement {
  /** Run in order, on one connection; in one transaction when there are several or `needsTransaction`. */
  readonly steps: readonly PlanStep[]
  readonly needsTransaction: boolean
  /** Writes may not be retried and go to the writer of a single-writer database. */
  readonly isWrite: boolean
  /** Result columns, in order; empty when there are no result rows. */
  readonly columns: readonly OutputColumn[]
  /**
   * The settings that it runs with; undefined = `usualSettings`. Only for adapters with `sessionSettings`. Timestamps in its rows may
   * have the offset of the zone, and dates and intervals are in the styles of the settings.
   */
  readonly settings?: StatementSettings | undefined
  /** For the adapter alone: for example that it is a bounded key look-up. */
  readonly hints?: Readonly<Record<string, unknown>> | undefined
}

/** One SQL text of a compiled statement, or what a database without SQL does in its place. */
export interface PlanStep {
  /** Absent in a database without SQL: then `CompiledStatement.hints` hold what the adapter does. */
  readonly sql?: string | undefined
  /** In the order of the dialect's placeholders. */
  readonly parameters: readonly ValueSource[]
  /**
   * What the adapter does with the rows of the step:
   * `result`: they are the answer, column by column as `CompiledStatement.columns`;
   * `count`: one row, one integer: the number of affected rows;
   * `affected`: no rows; the driver's count of changed rows is the answer;
   * `keep`: kept for later steps' `step` sources (as JSON text of an array of arrays);
   * `assert`: every row's first column must be true, else roll back and `checkFailed` (422); no other use.
   */
  readonly yields: 'result' | 'count' | 'affected' | 'keep' | 'assert' | 'nothing'
  /**
   * For `result` and `count`: index of one extra column after the others that must be true in every row, else roll
   * back and `checkFailed` (422). It is not part of the answer.
   */
  readonly checkColumn?: number | undefined
  /**
   * For `result`: index of one extra column after the others: rows where it is not true are left out of the answer
   * (RETURNING of rows the caller can no longer see).
   */
  readonly visibleColumn?: number | undefined
  /**
   * The client's calls of volatile functions that the step evaluates, each once for every occurrence in the SQL, as `renderSql`
   * reports them. A write is refused that evaluates one twice, see `requireSingleEvaluation`.
   */
  readonly volatileCalls?: readonly number[]
}

/**
 * The SQL of a step, for adapters whose steps have one.
 *
 * @throws {TypeError} for a step without SQL: another adapter made it.
 */
export function sqlOf({ sql }: Pick<PlanStep, 'sql'>): string {
  if (sql === undefined) throw new TypeError('a step without SQL')
  return sql
}

/** A compiled statement in the cache. */
export interface Plan {
  readonly connection: string
  readonly compiled: CompiledStatement
  /** Tables and operations, for audit and metrics. */
  readonly tables: readonly { readonly table: string; readonly operation: Operation }[]
  /** Number of `$n` values that a request must contain. */
  readonly parameterCount: number
  /** Cursors whose current rows the statement writes; their places follow the values of the request. Absent where there are none. */
  readonly cursors?: readonly CursorReference[] | undefined
}

/** Name and type of a result column. */
export type ResultColumn = OutputColumn
