/** @module Statements that were run, kept in this browser only. What may hold a secret is not kept. */
import { mayHoldSecret, secretName } from '../../drafts/secrets.ts'

export interface PastQuery {
  readonly sql: string
  /** As typed: a JSON list. */
  readonly params: string
  /** As whom, in words; never a credential. */
  readonly subject: string
  /** Milliseconds since 1970. */
  readonly atMs: number
  /** `20 rows`, or the code of an error. */
  readonly outcome: string
}

const key = 'engine-admin-queries'

const mostKept = 50

/** The longest statement that is kept, in characters. */
const longest = 20_000

/** What of a statement may be kept: undefined where it may hold a secret itself, without parameters where these may. */
export function mayBeKept({ sql, params, ...rest }: PastQuery): PastQuery | undefined {
  if (sql.length > longest || mayHoldSecret(sql)) return undefined
  const namesSecret = secretName.test(sql)
  // A constant beside such a name may be the secret.
  if (namesSecret && /['$]\D|'\d/.test(sql)) return undefined
  const isSafe = !namesSecret && !secretName.test(params) && !mayHoldSecret(params)
  return { ...rest, sql, params: isSafe ? params : '' }
}

/** May the whole of a statement be kept? */
export function mayBeStored({ sql, params }: Pick<PastQuery, 'sql' | 'params'>): boolean {
  const kept = mayBeKept({ sql, params, subject: '', atMs: 0, outcome: '' })
  return kept !== undefined && kept.params === params
}

/** Newest first. The same statement with the same parameters is there once. */
export function withQuery(past: readonly PastQuery[], query: PastQuery): readonly PastQuery[] {
  const kept = mayBeKept(query)
  if (kept === undefined) return past
  const others = past.filter(({ sql, params }) => sql !== kept.sql || params !== kept.params)
  return [kept, ...others].slice(0, mostKept)
}

export function readHistory(): readonly PastQuery[] {
  try {
    const all: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(all) ? all.filter(isPastQuery) : []
  } catch {
    return []
  }
}

/** A browser may refuse to keep anything: then the history lasts as long as the page. */
export function writeHistory(past: readonly PastQuery[]): void {
  try {
    if (past.length === 0) localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify(past))
  } catch {
    // Nothing is kept.
  }
}

function isPastQuery(value: unknown): value is PastQuery {
  if (typeof value !== 'object' || value === null) return false
  const { sql, params, subject, atMs, outcome } = value as Readonly<Record<string, unknown>>
  const texts = [sql, params, subject, outcome]
  return texts.every((text) => typeof text === 'string') && typeof atMs === 'number'
}
