/** @module The setting default_text_search_config. */
import { invalidValue } from './setting-error.ts'

/** It stands for the configuration of the database, whatever that is. */
export const usualConfiguration = 'pg_catalog.english'

/** Those that every PostgreSQL has: a database may have others, which the name of a call may mean. */
const builtin: ReadonlySet<string> = new Set(
  (
    'arabic danish dutch english finnish french german greek hungarian indonesian irish italian lithuanian nepali ' +
    'norwegian portuguese romanian russian simple spanish swedish tamil turkish'
  ).split(' '),
)

/**
 * `Simple` → `pg_catalog.simple`
 *
 * @throws {GatewayError} 22023 for every name but those of PostgreSQL's own configurations.
 */
export function normalizeConfiguration(value: string): string {
  const name = value.toLowerCase().replace(/^pg_catalog\./, '')
  if (!builtin.has(name)) throw invalidValue('default_text_search_config', value)
  return `pg_catalog.${name}`
}
