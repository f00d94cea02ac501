/** @module Many expressions in one statement: what was equal before is tried at once. */
import { compareRows } from '@engine/corpus'
import { type Construct, formOf } from './construct.ts'
import { askEngine } from './judge.ts'
import type { TriedDatabase } from './open-databases.ts'
import { type Expression, selectOf } from './statement.ts'
import { type KnownAnswer, keyOf } from './tried.ts'

interface Candidate {
  readonly attempt: Expression
  readonly known: KnownAnswer
}

/** Expressions of one statement. */
const most = 32

/**
 * Finds attempts that a database answers as PostgreSQL does, in few statements. What is refused or wrong beside others is left out: it
 * has to be tried alone.
 *
 * @returns keys of attempts, see `keyOf`
 */
export async function equalTogether(
  database: TriedDatabase,
  constructs: readonly Construct[],
  answers: ReadonlyMap<string, KnownAnswer>,
): Promise<ReadonlySet<string>> {
  const groups = new Map<string, Candidate[]>()
  for (const attempt of constructs.flatMap((each) => each.attempts(formOf(database.name)))) {
    const known = answers.get(keyOf(attempt))
    if (attempt.kind !== 'expression' || known?.answer.kind !== 'rows') continue
    const name = JSON.stringify([known.rows, attempt.over, attempt.aliases])
    const group = groups.get(name) ?? []
    group.push({ attempt, known })
    groups.set(name, group)
  }
  const found = new Set<string>()
  for (const group of groups.values()) {
    for (let start = 0; start < group.length; start += most) {
      await tryTogether(database, group.slice(start, start + most), found)
    }
  }
  return found
}

/** A statement that is refused is halved. */
async function tryTogether(
  database: TriedDatabase,
  candidates: readonly Candidate[],
  found: Set<string>,
): Promise<void> {
  const [first, ...others] = candidates
  if (first === undefined || others.length === 0) return
  const sql = selectOf(
    candidates.map(({ attempt }) => attempt),
    first.known.rows,
  )
  const answer = await askEngine(database.engine, sql)
  if (answer.kind === 'rows') {
    for (const [index, { attempt, known }] of candidates.entries()) {
      const column = answer.rows.map((row) => [row[index] ?? null])
      if (isEqual(known, column)) found.add(keyOf(attempt))
    }
    return
  }
  const half = Math.ceil(candidates.length / 2)
  await tryTogether(database, candidates.slice(0, half), found)
  await tryTogether(database, candidates.slice(half), found)
}

function isEqual({ answer }: KnownAnswer, rows: Parameters<typeof compareRows>[0]): boolean {
  return answer.kind === 'rows' && compareRows(answer.rows, rows, true) === undefined
}
