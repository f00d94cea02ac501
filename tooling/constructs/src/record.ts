/** @module Tries every construct on every database. */
import { allConstructs } from './all-constructs.ts'
import { type Attempt, type Construct, type DatabaseName, formOf, forms } from './construct.ts'
import { equalTogether } from './equal-together.ts'
import type { Verdict } from './judge.ts'
import type { TriedDatabase, Truth } from './open-databases.ts'
import { readObjects } from './read-objects.ts'
import { equal, partly, type Recorded } from './recording.ts'
import { type KnownAnswer, keyOf, knownAnswer, tryConstruct } from './tried.ts'

/** A construct that a database answers, but not as PostgreSQL. */
export interface WrongAnswer {
  readonly id: string
  readonly database: DatabaseName
  readonly words: string
  readonly attempts: readonly Attempt[]
}

export interface Trial {
  readonly recorded: readonly Recorded[]
  readonly wrong: readonly WrongAnswer[]
}

/**
 * @param databases in the order of `databaseNames`
 * @param before an earlier recording: what was equal is tried many at once. Without it the result is the same, and takes longer.
 */
export async function tryAll(
  truth: Truth,
  databases: readonly TriedDatabase[],
  before: readonly Recorded[] = [],
): Promise<Trial> {
  const constructs = allConstructs(await readObjects(truth.client))
  const answers = await answersTo(truth, constructs)
  const columns = await Promise.all(
    databases.map((database, place) =>
      tryOn(truth, database, place, { constructs, answers, before }),
    ),
  )
  return {
    recorded: constructs.map(({ id, chapter, row, variant }, index) => ({
      id,
      chapter,
      row,
      variant,
      words: columns.map((verdicts) => wordsOf(verdicts[index])),
    })),
    wrong: databases.flatMap(({ name }, place) =>
      constructs.flatMap((construct, index) => wrongOf(construct, name, columns[place]?.[index])),
    ),
  }
}

interface Trials {
  readonly constructs: readonly Construct[]
  /** By key of the attempt. */
  readonly answers: ReadonlyMap<string, KnownAnswer>
  readonly before: readonly Recorded[]
}

async function tryOn(
  truth: Truth,
  database: TriedDatabase,
  place: number,
  { constructs, answers, before }: Trials,
): Promise<readonly Verdict[]> {
  const equalBefore = new Set(
    before.filter(({ words }) => words[place] === equal).map(({ id }) => id),
  )
  const together = constructs.filter(({ id }) => equalBefore.has(id))
  const known = await equalTogether(database, together, answers)
  const verdicts: Verdict[] = []
  for (const construct of constructs) {
    verdicts.push(
      await tryConstruct(truth, database, construct, answers, (attempt) =>
        known.has(keyOf(attempt)),
      ),
    )
  }
  return verdicts
}

function wordsOf(verdict: Verdict | undefined): string {
  if (verdict === undefined || verdict.kind === 'equal') return equal
  return verdict.kind === 'partly' ? `${partly}${verdict.words}` : verdict.words
}

function wrongOf(
  { id, attempts }: Construct,
  database: DatabaseName,
  verdict: Verdict | undefined,
): readonly WrongAnswer[] {
  if (verdict?.kind !== 'wrong') return []
  return [{ id, database, words: verdict.words, attempts: attempts(formOf(database)) }]
}

/** PostgreSQL's answers, before a database of ours writes anything: PostgreSQL is one of them. */
async function answersTo(
  truth: Truth,
  constructs: readonly Construct[],
): Promise<Trials['answers']> {
  const answers = new Map<string, KnownAnswer>()
  for (const attempt of constructs.flatMap(({ attempts }) => forms.flatMap(attempts))) {
    if (attempt.kind === 'impossible' || attempt.kind === 'question') continue
    const key = keyOf(attempt)
    if (!answers.has(key)) answers.set(key, await knownAnswer(truth, attempt))
  }
  return answers
}
