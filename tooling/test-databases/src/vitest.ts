/** @module What a test file needs of the PostgreSQL that serves the whole run. */
import { describe, expect, inject, test } from 'vitest'
import { createDatabase as createDatabaseOn } from './create-database.ts'

/** What the run found out about PostgreSQL. */
export type ProvidedPostgres =
  | { readonly kind: 'running'; readonly url: string; readonly databasePrefix: string }
  | { readonly kind: 'missing'; readonly reason: string }

declare module 'vitest' {
  interface ProvidedContext {
    postgres: ProvidedPostgres
    /** URL of the run's PostgreSQL as superuser; undefined where there is none. */
    postgresUrl: string | undefined
  }
}

/**
 * A `describe` for tests that need PostgreSQL. Without one they are skipped, with the reason in the
 * name; where `CI` is `true` that is a failure.
 */
export function describePostgres(name: string, tests: () => void): void {
  const postgres = inject('postgres')
  if (postgres.kind === 'running') {
    describe(name, tests)
  } else if (process.env['CI'] === 'true') {
    test(`${name} needs PostgreSQL`, () => expect.unreachable(postgres.reason))
  } else {
    describe.skipIf(true)(`${name} (skipped: ${postgres.reason})`, tests)
  }
}

/**
 * An empty PostgreSQL database of one's own, dropped when the run ends.
 *
 * @param name what it is for
 * @returns its URL, as superuser
 * @throws {Error} when there is no PostgreSQL: call it inside `describePostgres`.
 *
 * @example
 * describePostgres('introspection', () => {
 *   let url: string
 *   beforeAll(async () => {
 *     url = await createDatabase('introspection')
 *   })
 * })
 */
export async function createDatabase(name: string): Promise<string> {
  const postgres = inject('postgres')
  if (postgres.kind === 'missing') throw new Error(postgres.reason)
  return createDatabaseOn(postgres.url, name, postgres.databasePrefix)
}
