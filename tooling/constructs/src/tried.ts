/** @module Tries one construct on one database. */
import { type Attempt, type Construct, formOf } from './construct.ts'
import { askEngine, askTruth, judge, type TrueAnswer, type Verdict } from './judge.ts'
import type { TriedDatabase, Truth } from './open-databases.ts'
import { writtenTables } from './sample-tables.ts'
import { type RowSet, rowSets } from './sample-values.ts'
import { statementOf } from './statement.ts'

/** Identifies an attempt. */
export function keyOf(attempt: Attempt): string {
  return JSON.stringify(attempt)
}

/** PostgreSQL's answer to an attempt, and the rows over which it gives one. */
export interface KnownAnswer {
  readonly rows: RowSet
  readonly answer: TrueAnswer
}

/** Asks PostgreSQL over fewer and fewer rows, until no value raises an error. */
export async function knownAnswer(
  truth: Truth,
  attempt: Exclude<Attempt, { kind: 'impossible' | 'question' }>,
  sets: readonly RowSet[] = rowSets,
): Promise<KnownAnswer> {
  let first: KnownAnswer | undefined
  for (const rows of sets) {
    const { sql, isWrite } = statementOf(attempt, rows)
    const answer = isWrite ? await writeTruth(truth, sql) : await askTruth(truth, sql)
    if (answer.kind === 'rows') return { rows, answer }
    first ??= { rows: '1', answer }
    if (attempt.kind !== 'expression' && !attempt.sql.includes('{rows}')) break
  }
  if (first === undefined) throw new Error('no rows were given')
  return first
}

/** The rows of a write, then those of the tables afterwards. */
async function writeTruth(truth: Truth, sql: string): Promise<TrueAnswer> {
  await truth.client.query('begin')
  try {
    const answer = await askTruth(truth, sql)
    if (answer.kind === 'refused') return answer
    const rows = [...answer.rows]
    for (const table of writtenTables) {
      const after = await askTruth(truth, `select * from ${table}`)
      if (after.kind === 'rows') rows.push(...after.rows)
    }
    return { kind: 'rows', rows }
  } finally {
    await truth.client.query('rollback')
  }
}

/** What a database makes of an attempt. */
async function tryAttempt(
  truth: Truth,
  database: TriedDatabase,
  attempt: Attempt,
  known: KnownAnswer | undefined,
): Promise<Verdict> {
  if (attempt.kind === 'impossible') return { kind: 'refused', words: attempt.reason }
  if (attempt.kind === 'question') return answerTo(database, attempt.sql)
  if (known === undefined) throw new Error('PostgreSQL has to be asked first')
  if (attempt.kind !== 'write') {
    const verdict = await judgeRead(database, attempt, known)
    return isAboutValues(verdict) ? overFewer(truth, database, attempt, verdict) : verdict
  }
  try {
    const verdict = await judge(database.engine, attempt.sql, known.answer, false, writtenTables)
    return verdict.kind === 'equal' && known.answer.kind === 'refused' ? withoutSample : verdict
  } finally {
    await database.restore()
  }
}

/** Both refuse, for a reason of the tables. */
const withoutSample: Verdict = { kind: 'refused', words: 'not tried: no table has what it needs' }

type Read = Extract<Attempt, { kind: 'expression' | 'statement' }>

function judgeRead(
  { engine }: TriedDatabase,
  attempt: Read,
  { rows, answer }: KnownAnswer,
): Promise<Verdict> {
  const { sql, isOrdered } = statementOf(attempt, rows)
  return judge(engine, sql, answer, isOrdered)
}

/** Words of refusals that a database raises while it reads rows. */
const aboutValues: ReadonlySet<string> = new Set([
  'The database does not support this.',
  'A number is out of range.',
  'A date or time is out of range.',
])

function isAboutValues(verdict: Verdict): verdict is Extract<Verdict, { kind: 'refused' }> {
  return verdict.kind === 'refused' && aboutValues.has(verdict.words)
}

async function overFewer(
  truth: Truth,
  database: TriedDatabase,
  attempt: Read,
  refused: Extract<Verdict, { kind: 'refused' }>,
): Promise<Verdict> {
  for (const rows of rowSets) {
    const known = await knownAnswer(truth, attempt, [rows])
    if (known.answer.kind === 'refused') continue
    const verdict = await judgeRead(database, attempt, known)
    if (verdict.kind === 'equal') return { kind: 'partly', words: refused.words }
    if (verdict.kind === 'wrong') return verdict
  }
  return refused
}

async function answerTo({ engine }: TriedDatabase, sql: string): Promise<Verdict> {
  const answer = await askEngine(engine, sql)
  if (answer.kind === 'rows') return { kind: 'equal' }
  return { kind: answer.kind === 'failed' ? 'wrong' : 'refused', words: answer.words }
}

/** The verdicts on all attempts of a construct, as one. */
export async function tryConstruct(
  truth: Truth,
  database: TriedDatabase,
  construct: Construct,
  answers: ReadonlyMap<string, KnownAnswer>,
  isKnownEqual: (attempt: Attempt) => boolean,
): Promise<Verdict> {
  const verdicts: Verdict[] = []
  for (const attempt of construct.attempts(formOf(database.name))) {
    verdicts.push(
      isKnownEqual(attempt)
        ? { kind: 'equal' }
        : await tryAttempt(truth, database, attempt, answers.get(keyOf(attempt))),
    )
  }
  return (
    verdicts.find(({ kind }) => kind === 'wrong') ??
    verdicts.find(({ kind }) => kind === 'equal') ??
    verdicts.find(({ kind }) => kind === 'partly') ??
    verdicts[0] ?? { kind: 'refused', words: 'not tried' }
  )
}
