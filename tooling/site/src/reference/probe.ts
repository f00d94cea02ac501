/** @module Asks the printer of each database whether it prints a statement. No database is needed. */
import { admin, createEngine, GatewayError } from '@engine/core'
import { type Printer, printers } from '@engine/fuzz/nesting'
import { refusalReason } from './refusal-reason.ts'

/** The answer of one printer. */
export type Verdict =
  | { readonly kind: 'answered' }
  /** Refused as not offered, with the construct that is the reason. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** No statement of PostgreSQL. */
  | { readonly kind: 'wrong'; readonly message: string }

/** The printer of one kind of database. */
export interface Probe {
  readonly name: string
  ask(sql: string): Promise<Verdict>
  close(): Promise<void>
}

/** One probe for each printer, PostgreSQL first. */
export function openProbes(): Promise<readonly Probe[]> {
  return Promise.all(printers.map(openProbe))
}

async function openProbe({ name, connection, adapterPackage, adapter }: Printer): Promise<Probe> {
  const engine = await createEngine(
    { connections: { main: connection } },
    { adapters: { [adapterPackage]: () => adapter } },
  )
  return {
    name,
    ask: async (sql) => {
      try {
        const request = { sql, params: [], method: 'all', meta: false, signal: undefined } as const
        await engine.query(request, admin)
        return { kind: 'answered' }
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error
        if (error.sqlState !== '0A000') return { kind: 'wrong', message: error.message }
        return { kind: 'refused', reason: refusalReason(error.message) }
      }
    },
    close: () => engine.close(),
  }
}
