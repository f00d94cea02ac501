import { anonymous, createEngine, type Engine } from '@engine/core'
import type { Adapter, Introspection, SqlValue } from '@engine/core/adapter'
import { postgresAdapter } from '../../src/index.ts'

/** An engine that prints statements and runs none. */
export interface PrintingEngine {
  readonly engine: Engine
  /** Parses, binds, authorizes with full rights and prints; the connection is called `main`. */
  print(sql: string, params?: readonly unknown[]): Promise<Printed>
}

export interface Printed {
  readonly text: string
  readonly values: readonly SqlValue[]
}

export async function createPrintingEngine(introspection: Introspection): Promise<PrintingEngine> {
  let printed: Printed = { text: '', values: [] }
  const real = postgresAdapter({ url: 'postgres://nowhere' })
  const adapter: Adapter = {
    ...real,
    introspect: async () => introspection,
    execute: async ({ statement, values }) => {
      printed = { text: statement.steps[0]?.sql ?? '', values: values[0] ?? [] }
      return { rows: '', rowCount: 0, truncated: false }
    },
  }
  const engine = await createEngine(
    // A generated tree may nest deeper than a statement of a user.
    { connections: { main: 'postgres://nowhere' }, limits: { maxRelationDepth: 100 } },
    { adapters: { '@engine/adapters-postgres': () => adapter } },
  )
  return {
    engine,
    print: async (sql, params = []) => {
      await engine.query({ sql, params, method: 'all', meta: false, signal: undefined }, anonymous)
      return printed
    },
  }
}

/** The text without the row limit that the engine adds. */
export function withoutRowLimit(text: string): string {
  return text.replace(/ limit 10001$/, '')
}
