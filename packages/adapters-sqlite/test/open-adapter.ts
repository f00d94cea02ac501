/** @module A database in a directory of its own and statements that no client had to send. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Adapter,
  type CompiledStatement,
  type Execution,
  oids,
  type PlanStep,
  type ResultSet,
  type SqlType,
  type SqlValue,
} from '@engine/core'
import Database from 'better-sqlite3'
import { onTestFinished } from 'vitest'
import { type SqliteOptions, sqliteAdapter } from '../src/index.ts'

export type TypeName = keyof typeof oids

export function typeOf(name: TypeName, typmod = -1): SqlType {
  return { oid: oids[name], typmod }
}

/** A path in a new directory that is gone after the test. */
export function temporaryPath(name = 'test.db'): string {
  const directory = mkdtempSync(join(tmpdir(), 'engine-sqlite-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return join(directory, name)
}

/** A new database file with `setup` in it. */
export function createDatabase(setup: string, path: string = temporaryPath()): string {
  const database = new Database(path)
  database.exec(setup)
  database.close()
  return path
}

/** Closed after the test. */
export function openAdapter(url: string, options: Omit<SqliteOptions, 'url'> = {}): Adapter {
  const adapter = sqliteAdapter({ url, pool: { max: 2 }, ...options })
  onTestFinished(() => adapter.close())
  return adapter
}

export interface StepOptions extends Partial<PlanStep> {
  readonly sql: string
}

/** A statement of one or several steps; each type is that of one `$n` in every step. */
export function statement(
  steps: string | readonly StepOptions[],
  columns: Readonly<Record<string, SqlType | TypeName>> | readonly [string, TypeName][] = {},
  options: Partial<CompiledStatement> & { readonly parameters?: readonly TypeName[] } = {},
): CompiledStatement {
  const { parameters = [], ...rest } = options
  const sources = parameters.map((name, index) => ({
    from: 'request' as const,
    index,
    type: typeOf(name),
  }))
  const list = typeof steps === 'string' ? [{ sql: steps }] : steps
  const named = Array.isArray(columns) ? columns : Object.entries(columns)
  return {
    steps: list.map((step) => ({
      parameters: sources,
      yields: 'result',
      checkColumn: undefined,
      visibleColumn: undefined,
      ...step,
    })),
    needsTransaction: false,
    isWrite: false,
    columns: named.map(([name, type]) => ({
      name,
      type: typeof type === 'string' ? typeOf(type) : type,
    })),
    hints: undefined,
    ...rest,
  }
}

/** A write of one step that counts its rows. */
export function write(sql: string, parameters: readonly TypeName[] = []): CompiledStatement {
  return statement([{ sql, yields: 'affected' }], {}, { isWrite: true, parameters })
}

export function execution(
  compiled: CompiledStatement,
  values: readonly SqlValue[] = [],
  options: Partial<Execution> = {},
): Execution {
  return {
    statement: compiled,
    values: compiled.steps.map((step) =>
      step.parameters.map((source) =>
        source.from === 'request' ? (values[source.index] ?? null) : null,
      ),
    ),
    rowShape: 'array',
    maxRows: 10_000,
    timeoutMs: 30_000,
    signal: undefined,
    ...options,
  }
}

/** The rows as values. */
export function rowsOf({ rows }: ResultSet): readonly unknown[] {
  const text = typeof rows === 'string' ? rows : Buffer.from(rows).toString()
  return JSON.parse(`[${text}]`) as readonly unknown[]
}

/** Runs a statement and gives its rows as values. */
export async function query(
  adapter: Adapter,
  compiled: CompiledStatement,
  values: readonly SqlValue[] = [],
  options: Partial<Execution> = {},
): Promise<readonly unknown[]> {
  return rowsOf(await adapter.execute(execution(compiled, values, options)))
}
