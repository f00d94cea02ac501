/** @module Plans statements for one printer, and measures. */
import { createEngine, GatewayError, type Permission, type StageEvent } from '@engine/core'
import type { Printer } from './printers.ts'

export interface Planned {
  /** `planned`, or the answer to the caller: `400 54001`. */
  readonly outcome: string
  readonly message: string
  /** The part of its budget that was used. */
  readonly steps: number
  /** Processor time: other processes run too. */
  readonly ms: number
}

export interface Planner {
  plan(sql: string): Promise<Planned>
  close(): Promise<void>
}

/** The caller sees some rows and some cells: all additions of permissions are present. */
const permissions: readonly Permission[] = ['item', 'part'].flatMap((table): Permission[] => [
  {
    table: `main.${table}`,
    roles: ['anonymous'],
    select: { where: { c_int4: { $gt: 5 } } },
    insert: { check: { c_int4: { $gt: 5 } } },
    update: { where: { c_int4: { $gt: 5 } }, check: { c_int4: { $gt: 5 } } },
    delete: { where: { c_int4: { $gt: 5 } } },
  },
  {
    table: `main.${table}`,
    roles: ['anonymous'],
    select: { columns: ['id', 'c_text'], where: { c_int8: { $gt: 5 } } },
  },
])

/** The highest limits that a configuration allows: only the fixed limits remain. */
const limits = {
  maxRelationDepth: 1_000,
  maxFilterNesting: 1_000,
  maxFilterConditions: 100_000,
}

export async function createPlanner(printer: Printer): Promise<Planner> {
  const heard: StageEvent[] = []
  const engine = await createEngine(
    { connections: { main: printer.connection }, permissions, limits },
    {
      adapters: { [printer.adapterPackage]: () => printer.adapter },
      observe: (event) => {
        if (event.stage === 'plan') heard.push(event)
      },
    },
  )
  const caller = { kind: 'anonymous', roles: ['anonymous'], fields: {} } as const
  return {
    plan: async (sql) => {
      let outcome = 'planned'
      let message = ''
      const begun = process.cpuUsage()
      try {
        await engine.query(
          { sql, params: [], method: 'all', meta: false, signal: undefined },
          caller,
        )
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error
        outcome = `${error.status} ${error.sqlState ?? ''}`
        message = error.message
      }
      const seen = heard.pop()
      if (seen === undefined) throw new Error(`nothing was planned: ${message}`)
      const { user, system } = process.cpuUsage(begun)
      return { outcome, message, steps: seen.steps ?? 0, ms: (user + system) / 1_000 }
    },
    close: () => engine.close(),
  }
}
