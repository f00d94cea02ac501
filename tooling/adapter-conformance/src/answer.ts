import { admin, type Engine } from '@engine/core'

/** The parsed body of an answer. */
export interface Answer {
  readonly rows: readonly (readonly unknown[])[]
  readonly rowCount: number
  readonly truncated: boolean
}

/** Runs one statement with full rights. */
export async function ask(
  engine: Engine,
  sql: string,
  params: readonly unknown[] = [],
  signal?: AbortSignal,
): Promise<Answer> {
  const { body } = await engine.query({ sql, params, method: 'all', meta: true, signal }, admin)
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
