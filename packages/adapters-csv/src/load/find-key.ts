/** @module Finds the key column of a file whose options do not name one. */
import type { DatabaseSync } from 'node:sqlite'
import { LoadError } from './load-error.ts'
import type { LoadJob } from './load-job.ts'
import { quoted } from './make-table.ts'
import type { SurveyedColumn } from './survey.ts'

/**
 * Columns with the name of a key, the most likely first. Whether their values are unique is checked later.
 *
 * @returns keys of one column each
 */
export function keyCandidates(
  table: string,
  columns: readonly SurveyedColumn[],
): readonly (readonly string[])[] {
  const own = table.toLowerCase()
  const names = ['id', `${own}_id`, `${singular(own)}_id`, `${singular(own)}id`, 'uuid', 'guid']
  const usable = columns.filter(
    ({ hasNull, type }) => !hasNull && !['boolean', 'float', 'json'].includes(type.kind),
  )
  const named = names.flatMap((name) => usable.filter((each) => each.name.toLowerCase() === name))
  const [first] = columns
  const isFirstKey =
    first !== undefined && usable.includes(first) && /(?:id|key|code|number|no)$/i.test(first.name)
  return [...new Set(isFirstKey ? [...named, first] : named)].map(({ name }) => [name])
}

function singular(name: string): string {
  if (name.endsWith('ies')) return `${name.slice(0, -3)}y`
  return name.endsWith('s') ? name.slice(0, -1) : name
}

/**
 * Adds a unique constraint to the first candidate that no two rows share.
 *
 * @returns empty when there is none
 * @throws {LoadError} when the options name a key, and rows share it.
 */
export function createKey(
  database: DatabaseSync,
  { table, path, key }: LoadJob,
  candidates: readonly (readonly string[])[],
): readonly string[] {
  for (const candidate of candidates) {
    const columns = candidate.map(quoted).join(', ')
    try {
      database.exec(
        `create unique index ${quoted(`~key~${table}`)} on ${quoted(table)} (${columns})`,
      )
    } catch (error) {
      if (!isNotUnique(error)) throw error
      continue
    }
    return candidate
  }
  if (key !== undefined) throw new LoadError(`${path}: two rows have the same ${key.join(', ')}`)
  return []
}

/** @see https://www.sqlite.org/rescode.html#constraint_unique */
const constraintUnique = 2067

function isNotUnique(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === constraintUnique
}
