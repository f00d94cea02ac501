import { isDeepStrictEqual } from 'node:util'
import pg from 'pg'
import type { Program } from './program.ts'

/** The same client on both sides, and their databases. */
export interface Sides<Db> {
  /** Connected to PostgreSQL itself. */
  readonly direct: Db
  /** Connected to the gateway. */
  readonly gateway: Db
  /** Restores the scratch tables, on both sides. */
  readonly reset: () => Promise<void>
  /** The database of the gateway; on `other`, programs that are not portable may be refused. */
  readonly database: 'postgres' | 'other'
}

/** The result of one program. Values are those that the user of the client sees. */
export type Outcome =
  | { readonly kind: 'equal'; readonly value: unknown }
  | { readonly kind: 'different'; readonly direct: unknown; readonly gateway: unknown }
  /** Only the gateway refused it, with a 4xx. */
  | { readonly kind: 'refused'; readonly status: number; readonly message: string }
  /** Both refused it, the gateway with a 4xx. */
  | { readonly kind: 'rejected'; readonly status: number; readonly message: string }
  /** The program fails without the gateway, or the gateway failed: a 5xx, or an error in the client. */
  | { readonly kind: 'failed'; readonly side: 'direct' | 'gateway'; readonly error: unknown }

/** The outcome of one program, and whether it is the expected one. */
export interface ProgramReport {
  readonly name: string
  readonly expected: boolean
  readonly outcome: Outcome
}

/** Runs a program on both sides and compares the results. Rows that a program writes are not removed. */
export async function compareProgram<Db>(
  program: Program<Db>,
  sides: Sides<Db>,
): Promise<ProgramReport> {
  if (program.mutates) await sides.reset()
  const direct = await settle(program, sides.direct)
  if (program.mutates) await sides.reset()
  const gateway = await settle(program, sides.gateway)
  const outcome = judge(direct, gateway)
  return { name: program.name, expected: isExpected(program, outcome, sides.database), outcome }
}

type Settled =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'error'; readonly error: unknown }

async function settle<Db>(program: Program<Db>, db: Db): Promise<Settled> {
  try {
    return { kind: 'value', value: rowsOf(await program.run(db)) }
  } catch (error) {
    return { kind: 'error', error }
  }
}

/** Where Drizzle returns node-postgres' own result, its proxy returns the rows. */
function rowsOf(value: unknown): unknown {
  if (value instanceof pg.Result) return value.rows
  return Array.isArray(value) ? value.map(rowsOf) : value
}

function judge(direct: Settled, gateway: Settled): Outcome {
  if (gateway.kind === 'error') {
    const refusal = refusalOf(gateway.error)
    if (refusal === undefined) return { kind: 'failed', side: 'gateway', error: gateway.error }
    return { kind: direct.kind === 'error' ? 'rejected' : 'refused', ...refusal }
  }
  if (direct.kind === 'error') return { kind: 'failed', side: 'direct', error: direct.error }
  if (isDeepStrictEqual(direct.value, gateway.value)) return { kind: 'equal', value: direct.value }
  return { kind: 'different', direct: direct.value, gateway: gateway.value }
}

/** The 4xx status of an error; Drizzle has it in `cause`. */
function refusalOf(
  error: unknown,
): { readonly status: number; readonly message: string } | undefined {
  if (!(error instanceof Error)) return undefined
  const status = 'status' in error ? Number(error.status) : Number.NaN
  if (status >= 400 && status < 500) return { status, message: error.message }
  return refusalOf(error.cause)
}

function isExpected<Db>(
  program: Program<Db>,
  outcome: Outcome,
  database: 'postgres' | 'other',
): boolean {
  if (!program.portable && database === 'other' && outcome.kind === 'refused') return true
  if (typeof program.expect === 'string') return outcome.kind === program.expect
  return outcome.kind === 'rejected' && outcome.status === program.expect.rejected
}
