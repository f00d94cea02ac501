/** @module A directory of CSV files, served by an engine in open mode. */
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Caller, createEngine, type DirectoryConnection, type Engine } from '@engine/core'
import type { Log } from '@engine/core/adapter'
import { onTestFinished, vi } from 'vitest'
import { connect } from '../src/index.ts'

export interface OpenDirectory {
  readonly path: string
  readonly engine: Engine
  /** Messages that were logged as errors and warnings. */
  readonly complaints: readonly string[]
  /** Rows of the answer. */
  rows(sql: string, params?: readonly unknown[]): Promise<unknown>
  read(name: string): string
  /** Writes the whole file at once, like most programs. */
  write(name: string, content: string | Uint8Array): void
  /** Waits until a statement returns this answer. */
  eventually(sql: string, expected: unknown): Promise<void>
}

export const anonymous: Caller = { kind: 'anonymous', roles: ['anonymous'], fields: {} }

export type Files = Readonly<Record<string, string | Uint8Array>>

/** A new directory with these files; it is removed after the test. */
export function makeDirectory(files: Files): string {
  const path = mkdtempSync(join(tmpdir(), 'engine-directory-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(path, name), content)
  return path
}

/** @param files of a new directory, or the path of an existing one. */
export async function openDirectory(
  files: Files | string,
  options: Omit<DirectoryConnection, 'directory'> = {},
): Promise<OpenDirectory> {
  const path = typeof files === 'string' ? files : makeDirectory(files)
  const complaints: string[] = []
  const complain = (facts: object, message: string) => {
    complaints.push(
      `${message}: ${'reason' in facts ? String(facts.reason) : JSON.stringify(facts)}`,
    )
  }
  const log: Log = {
    debug: () => undefined,
    info: () => undefined,
    warn: complain,
    error: complain,
  }
  const engine = await createEngine(
    { connections: { files: { directory: path, ...options } } },
    { adapters: { '@engine/adapters-csv': connect }, log },
  )
  onTestFinished(() => engine.close())
  const rows = async (sql: string, params: readonly unknown[] = []): Promise<unknown> => {
    const request = { sql, params, method: 'all', meta: false, signal: undefined } as const
    const { body } = await engine.query(request, anonymous)
    return (JSON.parse(body.toString()) as { readonly rows: unknown }).rows
  }
  return {
    path,
    engine,
    complaints,
    rows,
    read: (name) => readFileSync(join(path, name), 'utf8'),
    write: (name, content) => {
      writeFileSync(join(path, `.${name}.part`), content)
      renameSync(join(path, `.${name}.part`), join(path, name))
    },
    eventually: (sql, expected) =>
      vi.waitFor(
        async () => {
          const found = await rows(sql)
          if (JSON.stringify(found) !== JSON.stringify(expected)) {
            throw new Error(`still ${JSON.stringify(found)}`)
          }
        },
        { timeout: 15_000, interval: 50 },
      ),
  }
}
