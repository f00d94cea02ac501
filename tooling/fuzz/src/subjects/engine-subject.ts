/** @module The engine in this process, with a separate database. */

import { type Caller, type Config, createEngine, type Engine, GatewayError } from '@engine/core'
import type { AdapterFactory } from '@engine/core/adapter'
import type { JsonValue } from '@engine/corpus'
import type { PrintedStatement } from '../tree/tree.ts'
import { rollingBack } from './rolling-back.ts'
import type { JsonRows, Outcome } from './subject.ts'

export interface EngineSubject {
  readonly engine: Engine
  readonly run: (statement: PrintedStatement, caller: Caller, isWrite: boolean) => Promise<Outcome>
  readonly close: () => Promise<void>
}

export interface EngineOptions {
  readonly config: Config
  readonly adapterPackage: string
  readonly connect: AdapterFactory
  /** Tables that are read after every write. */
  readonly tables: readonly string[]
}

/** Any fixed time: neither side of a comparison reads the clock. */
export const moment: number = Date.UTC(2024, 5, 15, 12, 0, 0)

/** Opens an engine whose writes are rolled back. Their outcome has the tables before the rollback. */
export async function openEngine({
  config,
  adapterPackage,
  connect,
  tables,
}: EngineOptions): Promise<EngineSubject> {
  const { factory, looking, writing } = rollingBack(connect)
  const engine = await createEngine(config, {
    adapters: { [adapterPackage]: factory },
    clock: () => moment,
  })
  for (const table of tables) {
    await looking(() =>
      engine.query(request({ sql: `select * from main.${table} order by 1`, params: [] }), admin),
    )
  }
  return {
    engine,
    run: async (statement, caller, isWrite) => {
      try {
        if (!isWrite) return outcomeOf(await engine.query(request(statement), caller), undefined)
        const { answer, tables: after } = await writing(() =>
          engine.query(request(statement), caller),
        )
        return outcomeOf(answer, after)
      } catch (error) {
        return refusalOf(error)
      }
    },
    close: () => engine.close(),
  }
}

const admin: Caller = { kind: 'admin', roles: [], fields: {} }

export function request({ sql, params }: PrintedStatement): Parameters<Engine['query']>[0] {
  return { sql, params, method: 'all', meta: false, signal: undefined }
}

/** @param answer of a batch: a row for each of its statements. */
export function outcomeOf(
  { body }: Awaited<ReturnType<Engine['query']>>,
  tables: string | undefined,
): Outcome {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body as Uint8Array)
  const { rows, results } = JSON.parse(text) as {
    readonly rows?: JsonRows
    readonly results?: readonly JsonValue[]
  }
  return { kind: 'rows', rows: rows ?? results?.map((each) => [each]) ?? [], tables }
}

/** An error in the form that a client would see. Any error but a `GatewayError` is a bug of the engine. */
export function refusalOf(error: unknown): Outcome {
  if (error instanceof GatewayError) {
    const { status, code, publicMessage, sqlState, report } = error
    const cause = status >= 500 ? ` (${String(error.message)}; ${String(error.cause)})` : ''
    const message = `${code}: ${publicMessage}${cause}`
    return { kind: 'refused', status, message, sqlState, loggedState: report?.code }
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { kind: 'refused', status: 500, message, sqlState: undefined }
}
