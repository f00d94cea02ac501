/** @module Starts one PostgreSQL for a whole run of vitest, and ends it. */
import { randomBytes } from 'node:crypto'
import type { TestProject } from 'vitest/node'
import { dropDatabases } from './create-database.ts'
import { findPostgres } from './find-postgres.ts'
import { startPostgresFrom } from './postgres-server.ts'
import type { ProvidedPostgres } from './vitest.ts'

/** Called by vitest before the first test; what it returns is called after the last. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const databasePrefix = `engine_test_${randomBytes(4).toString('hex')}_`
  const { provided, stop } = await provide(databasePrefix)
  project.provide('postgres', provided)
  project.provide('postgresUrl', provided.kind === 'running' ? provided.url : undefined)
  return stop
}

interface Provision {
  readonly provided: ProvidedPostgres
  readonly stop: () => Promise<void>
}

async function provide(databasePrefix: string): Promise<Provision> {
  const source = findPostgres()
  switch (source.kind) {
    case 'url':
      return {
        provided: { kind: 'running', url: source.url, databasePrefix },
        stop: () => dropDatabases(source.url, databasePrefix),
      }
    case 'binaries': {
      const { url, stop } = await startPostgresFrom(source.directory)
      return { provided: { kind: 'running', url, databasePrefix }, stop }
    }
    case 'missing':
      return { provided: source, stop: async () => undefined }
  }
}
