/**
 * @module What the largest statements that the engine accepts cost the planner of a database: each construct with twice as many parts, until
 * it is refused. A construct that takes long has no limit where it needs one, see `enforce-limits.ts` of core.
 */
import { admin, createEngine, type Engine, GatewayError } from '@engine/core'
import type { AdapterFactory } from '@engine/core/adapter'
import { constructs } from './constructs.ts'

export interface PlanningOptions {
  /** Of a database with the table `t (id, n, x)`. */
  readonly url: string
  readonly adapters: Readonly<Record<string, AdapterFactory>>
  /** As statements name it: `main.t` */
  readonly table: string
  /** A statement that takes longer is a finding, in milliseconds. */
  readonly mostMs: number
  /** The names of constructs that contain it. */
  readonly only: string
  readonly onProgress: (text: string) => void
}

const firstSize = 16
const largestSize = 16_384

/** For a statement, in milliseconds: it has to be stopped at some time. */
const queryTimeout = 60_000

/** @returns the names of constructs that take too long, and with how many parts. */
export async function measurePlanning(options: PlanningOptions): Promise<readonly string[]> {
  const { url, adapters, only, onProgress } = options
  const engine = await createEngine(
    { connections: { main: { url } }, limits: { queryTimeout } },
    { adapters },
  )
  const findings: string[] = []
  try {
    for (const name of Object.keys(constructs).filter((each) => each.includes(only))) {
      const { text, finding } = await measure(name, engine, options)
      onProgress(text)
      if (finding !== undefined) findings.push(finding)
    }
  } finally {
    await engine.close()
  }
  return findings
}

async function measure(
  name: string,
  engine: Engine,
  { table, mostMs }: PlanningOptions,
): Promise<{ readonly text: string; readonly finding: string | undefined }> {
  const sizes: string[] = []
  for (let size = firstSize; size <= largestSize; size *= 2) {
    const sql = constructs[name]?.(size, table) ?? ''
    const startMs = performance.now()
    const refusal = await refusalOf(sql, engine)
    const ms = Math.round(performance.now() - startMs)
    sizes.push(`${size}: ${refusal ?? `${ms} ms`}`)
    if (ms > mostMs) {
      return {
        text: `${name}  ${sizes.join('  ')}`,
        finding: `${name} with ${size} parts: ${ms} ms`,
      }
    }
    if (refusal !== undefined) break
  }
  return { text: `${name}  ${sizes.join('  ')}`, finding: undefined }
}

/** @throws the error, unless it refuses the statement. */
async function refusalOf(sql: string, engine: Engine): Promise<string | undefined> {
  try {
    const request = { sql, params: [], method: 'all', meta: false, signal: undefined } as const
    await engine.query(request, admin)
    return undefined
  } catch (error) {
    if (!(error instanceof GatewayError) || error.status >= 500) throw error
    return error.message
  }
}
