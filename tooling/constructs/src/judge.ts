/** @module Asks PostgreSQL and an engine the same, and says whether the answers are equal. */
import { admin, type Engine, GatewayError } from '@engine/core'
import { compareRows, type JsonValue, queryDirect, sqlstateOf } from '@engine/corpus'
import type { Truth } from './open-databases.ts'

type Rows = readonly (readonly JsonValue[])[]

/** Rows, or the SQLSTATE of PostgreSQL's refusal. */
export type TrueAnswer =
  | { readonly kind: 'rows'; readonly rows: Rows }
  | { readonly kind: 'refused'; readonly sqlState: string; readonly message: string }

/** What a database makes of a construct. */
export type Verdict =
  | { readonly kind: 'equal' }
  /** Equal over some rows, and refused because of a value of the others. */
  | { readonly kind: 'partly'; readonly words: string }
  | { readonly kind: 'refused'; readonly words: string }
  | { readonly kind: 'wrong'; readonly words: string }

export async function askTruth({ direct }: Truth, sql: string): Promise<TrueAnswer> {
  try {
    return { kind: 'rows', rows: (await queryDirect(direct, sql)).rows }
  } catch (error) {
    return { kind: 'refused', sqlState: sqlstateOf(error), message: String(error) }
  }
}

export async function judge(
  engine: Engine,
  sql: string,
  truth: TrueAnswer,
  isOrdered: boolean,
  tablesAfter: readonly string[] = [],
): Promise<Verdict> {
  const answer = await askEngine(engine, sql)
  if (answer.kind === 'failed') return { kind: 'wrong', words: answer.words }
  if (answer.kind === 'refused') return refusal(answer, truth)
  if (truth.kind === 'refused') {
    return { kind: 'wrong', words: `answered, PostgreSQL refuses (${truth.sqlState})` }
  }
  const rows = [...answer.rows]
  for (const table of tablesAfter) {
    const after = await askEngine(engine, `select * from ${table}`)
    if (after.kind !== 'rows') return { kind: 'wrong', words: after.words }
    rows.push(...after.rows)
  }
  const difference = compareRows(truth.rows, rows, isOrdered)
  return difference === undefined ? { kind: 'equal' } : { kind: 'wrong', words: difference }
}

/** States of a refusal of what is not there, or not supported: not of a value. */
const aboutStatement: ReadonlySet<string> = new Set(['0A000', '42883', '42704', '42601'])

/** Where PostgreSQL refuses the values as well, the database answers the construct itself. */
function refusal(
  answer: { readonly words: string; readonly sqlState: string },
  truth: TrueAnswer,
): Verdict {
  if (truth.kind === 'refused' && !aboutStatement.has(answer.sqlState)) return { kind: 'equal' }
  return { kind: 'refused', words: answer.words }
}

type EngineAnswer =
  | { readonly kind: 'rows'; readonly rows: Rows }
  | { readonly kind: 'refused'; readonly words: string; readonly sqlState: string }
  | { readonly kind: 'failed'; readonly words: string }

export async function askEngine(engine: Engine, sql: string): Promise<EngineAnswer> {
  try {
    const request = { sql, params: [], method: 'all', meta: false, signal: undefined } as const
    const { body } = await engine.query(request, admin)
    const text = typeof body === 'string' ? body : new TextDecoder().decode(body as Uint8Array)
    return { kind: 'rows', rows: (JSON.parse(text) as { readonly rows?: Rows }).rows ?? [] }
  } catch (error) {
    if (!(error instanceof GatewayError)) return { kind: 'failed', words: String(error) }
    const words = error.publicMessage.replace(/ \(position \d+\)/, '')
    return error.status < 500
      ? { kind: 'refused', words, sqlState: error.sqlState ?? '' }
      : { kind: 'failed', words: `${error.message}: ${String(error.cause)}` }
  }
}
