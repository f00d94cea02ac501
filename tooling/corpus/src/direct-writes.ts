import { restartSequences } from '@engine/fixtures'
import type { JsonValue, WriteCase } from './case.ts'
import { type DirectConnection, queryDirect } from './direct.ts'

/** PostgreSQL's result of a write case. */
export interface WriteOutcome {
  /** For each step its RETURNING rows, or the SQLSTATE of its refusal. */
  readonly steps: readonly StepOutcome[]
  /** The rows of the case's check afterwards. */
  readonly check: readonly (readonly JsonValue[])[]
}

export type StepOutcome =
  | { readonly kind: 'rows'; readonly rows: readonly (readonly JsonValue[])[] }
  | { readonly kind: 'refused'; readonly sqlstate: string }

/** Runs a write case in a transaction that is rolled back, sequences included. */
export async function writeDirect(
  direct: DirectConnection,
  writeCase: WriteCase,
): Promise<WriteOutcome> {
  await direct.client.query('begin')
  try {
    await restartSequences(direct.client)
    const steps: StepOutcome[] = []
    for (const { sql, params } of writeCase.steps) {
      await direct.client.query('savepoint step')
      steps.push(await stepOutcome(direct, sql, params))
    }
    return { steps, check: (await queryDirect(direct, writeCase.check)).rows }
  } finally {
    await direct.client.query('rollback')
  }
}

async function stepOutcome(
  direct: DirectConnection,
  sql: string,
  params: readonly JsonValue[],
): Promise<StepOutcome> {
  try {
    return { kind: 'rows', rows: (await queryDirect(direct, sql, params)).rows }
  } catch (error) {
    await direct.client.query('rollback to savepoint step')
    return { kind: 'refused', sqlstate: sqlstateOf(error) }
  }
}

/** The SQLSTATE of PostgreSQL's error; any other error is thrown again. */
export function sqlstateOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') {
    if (/^[0-9A-Z]{5}$/.test(error.code)) return error.code
  }
  throw error
}
