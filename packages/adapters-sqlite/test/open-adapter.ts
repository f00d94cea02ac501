/** @module Opens a database in a directory of its own, and reads its results. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type {
  Adapter,
  CompiledStatement,
  Execution,
  ResultSet,
  SqlValue,
} from '@engine/core/adapter'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { type SqliteOptions, sqliteAdapter } from '../src/index.ts'
import { execution } from './statements.ts'

/** A path in a new directory that is deleted after the test. */
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

/** One adapter for many tests that leave the database unchanged: starting its threads takes longer than most tests. */
export function sharedAdapter(
  setup: string,
  options: Omit<SqliteOptions, 'url'> = {},
): () => Adapter {
  const directory = mkdtempSync(join(tmpdir(), 'engine-sqlite-'))
  const url = createDatabase(setup, join(directory, 'shared.db'))
  const adapter = sqliteAdapter({ url, pool: { max: 1 }, ...options })
  beforeAll(() => adapter.ping(new AbortController().signal))
  afterAll(async () => {
    await adapter.close()
    rmSync(directory, { recursive: true, force: true })
  })
  return () => adapter
}

/** The rows as values. */
export function rowsOf({ rows }: ResultSet): readonly unknown[] {
  const text = typeof rows === 'string' ? rows : Buffer.from(rows).toString()
  return JSON.parse(`[${text}]`) as readonly unknown[]
}

/** Runs a statement and returns its rows as values. */
export async function query(
  adapter: Adapter,
  compiled: CompiledStatement,
  values: readonly SqlValue[] = [],
  options: Partial<Execution> = {},
): Promise<readonly unknown[]> {
  return rowsOf(await adapter.execute(execution(compiled, values, options)))
}
