/**
 * @module Differences between two plans of PostgreSQL itself. Whether an expression that fails on some visible rows is
 * evaluated on them at all depends on the plan; so does a constant that is computed although no row needs it.
 */
import type { GeneratedStatement } from '../grammar/statement.ts'
import type { DirectSubject } from '../subjects/direct-subject.ts'
import { moment } from '../subjects/engine-subject.ts'
import type { Outcome } from '../subjects/subject.ts'
import { type PrintedStatement, printTree } from '../tree/tree.ts'
import { compareOutcomes } from './compare-outcomes.ts'

/** Other possible choices of a planner. */
const plannerSettings: readonly string[] = [
  '',
  'set local enable_hashjoin = off; set local enable_mergejoin = off; set local enable_hashagg = off',
  'set local enable_nestloop = off; set local enable_hashjoin = off; set local enable_material = off',
  'set local enable_nestloop = off; set local enable_mergejoin = off; set local enable_sort = off',
  'set local join_collapse_limit = 1; set local from_collapse_limit = 1; set local enable_seqscan = off',
  'set local enable_hashagg = off; set local enable_sort = off; set local enable_seqscan = off',
]

export interface ExplainOptions {
  readonly subject: DirectSubject
  readonly statement: Pick<GeneratedStatement, 'tree' | 'isOrdered'>
  readonly actual: Outcome
  readonly table: (name: string, isTarget: boolean) => string
  readonly side: 'engine' | 'reference'
  /** Runs in the transaction before the statement: settings of a write, for example. */
  readonly before: string
}

/** Returns whether PostgreSQL with another plan gives the same answer as the engine, and leaves the same tables. */
export async function explainByOrder(options: ExplainOptions): Promise<boolean> {
  const { actual, statement, subject } = options
  const hasWritten = actual.kind === 'rows' && actual.tables !== undefined
  for await (const outcome of otherPlans(options)) {
    const after =
      outcome.kind === 'rows' && hasWritten ? { ...outcome, tables: await subject.dump() } : outcome
    if (compareOutcomes(after, actual, statement.isOrdered) === undefined) return true
  }
  return false
}

/** Returns whether there is a plan with which the statement fails. @param sqlState with this code. */
export async function canFailOnVisible(
  options: Omit<ExplainOptions, 'actual'>,
  sqlState?: string,
): Promise<boolean> {
  for await (const outcome of otherPlans(options)) {
    if (outcome.kind !== 'refused') continue
    if (sqlState === undefined || outcome.sqlState === sqlState) return true
  }
  return false
}

/**
 * Returns whether the statement fails this way on rows that none of its conditions has removed yet. MariaDB computes a
 * sort key of one table before it joins the others.
 */
export async function canFailUnfiltered(
  { subject, statement, side, table }: Omit<ExplainOptions, 'actual' | 'before'>,
  failures: readonly Outcome[],
): Promise<boolean> {
  const printed = printTree(statement.tree, { side, table, isUnfiltered: true })
  const outcome = await subject.run(printed, false)
  if (outcome.kind !== 'refused' || outcome.sqlState === undefined) return false
  return failures.every(
    (failure) => failure.kind === 'refused' && failure.sqlState === outcome.sqlState,
  )
}

/** Each outcome while its transaction is still open. */
async function* otherPlans({
  subject,
  statement,
  table,
  before,
  side,
}: Omit<ExplainOptions, 'actual'>): AsyncGenerator<Outcome> {
  for (const printed of spellings(statement, side, table)) {
    for (const settings of plannerSettings) {
      await subject.client.query('begin')
      try {
        await subject.client.query(`${before}; ${settings}`)
        yield await subject.run(printed, false)
      } finally {
        await subject.client.query('rollback')
      }
    }
  }
}

/**
 * The statement unchanged, with constants that are not folded, and with the time as a constant, as the engine sends it.
 */
function spellings(
  { tree }: Pick<GeneratedStatement, 'tree'>,
  side: ExplainOptions['side'],
  table: ExplainOptions['table'],
): readonly PrintedStatement[] {
  const [plain, lazy] = [false, true].map((isLazy) => printTree(tree, { side, table, isLazy }))
  if (plain === undefined || lazy === undefined) return []
  const sql = plain.sql.replaceAll(
    /\b(?:now\(\)|(?:current_(?:timestamp|date|time)|localtimestamp|localtime)\b)/g,
    (word) => timeAsConstant[word as keyof typeof timeAsConstant],
  )
  return sql === plain.sql ? [plain, lazy] : [plain, lazy, { ...plain, sql }]
}

const now = new Date(moment).toISOString()
const [today = '', clock = ''] = now.replace('Z', '').split('T')

const timeAsConstant = {
  'now()': `timestamptz '${now}'`,
  current_timestamp: `timestamptz '${now}'`,
  current_date: `date '${today}'`,
  current_time: `timetz '${clock}+00'`,
  localtimestamp: `timestamp '${today} ${clock}'`,
  localtime: `time '${clock}'`,
} as const
