import { admin, type Caller, type Engine, GatewayError } from '@engine/core'

/** The parsed body of an answer. */
export interface Answer {
  readonly rows: readonly (readonly unknown[])[]
  readonly rowCount: number
  readonly truncated: boolean
}

/** Runs one statement, with full rights without a caller. */
export async function ask(
  engine: Engine,
  sql: string,
  params: readonly unknown[] = [],
  caller: Caller = admin,
  signal?: AbortSignal,
): Promise<Answer> {
  const { body } = await engine.query({ sql, params, method: 'all', meta: true, signal }, caller)
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  return JSON.parse(text) as Answer
}

/** The only row of an answer. */
export async function askOne(
  engine: Engine,
  sql: string,
  params: readonly unknown[] = [],
): Promise<readonly unknown[]> {
  const { rows } = await ask(engine, sql, params)
  const [row, ...others] = rows
  if (row === undefined || others.length > 0)
    throw new Error(`one row expected, got ${rows.length}`)
  return row
}

/**
 * The error of a statement.
 *
 * @throws {GatewayError} the error itself, when the adapter does not support the statement; an `Error` when there was
 * none.
 */
export async function errorOf(
  engine: Engine,
  sql: string,
  params: readonly unknown[] = [],
  caller: Caller = admin,
): Promise<unknown> {
  const outcome = await ask(engine, sql, params, caller).then(
    () => undefined,
    (error: unknown) => error,
  )
  if (outcome === undefined) throw new Error('an error was expected')
  if (outcome instanceof GatewayError && outcome.problem === 'unsupported') throw outcome
  return outcome
}
