/** @module Brings the service's tables up to date, even if other nodes do so at the same time. */
import { type Kysely, sql, type Transaction } from 'kysely'
import { GatewayError } from '../../foundation/errors.ts'
import { columnTypes } from './column-types.ts'
import type { Migration, StoreKind } from './store.ts'
import { isPassing } from './store-error.ts'

/** The applied migrations with their times. */
export interface MigrationTables {
  engine_migrations: { name: string; applied_at: number }
}

export interface MigrateOptions {
  readonly kind: StoreKind
  readonly migrations: readonly Migration[]
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** An optional step has failed. */
  readonly onFailure: (error: unknown, warning: string) => void
}

/** Any number that no other program uses for its own advisory lock. */
const postgresLock = 7_031_640_289_113

/** How long to wait for another node that is changing tables, in seconds; after that the database counts as unavailable. */
const lockSeconds = 10

/**
 * Applies the missing migrations in order, each once. Where tables are changed in transactions (everywhere but on MySQL) a
 * migration that fails changes nothing.
 *
 * @throws {GatewayError} `unavailable` when the database cannot be reached; `invalidConfiguration` when the database was changed
 *   by a newer version, or a migration fails: its name is in the message.
 */
export async function migrate(
  database: Kysely<MigrationTables>,
  { kind, migrations, clock, onFailure }: MigrateOptions,
): Promise<void> {
  for (const { name } of migrations) requireName(name)
  const locked = kind === 'mysql' ? withNamedLock : inTransactions
  await locked(database, kind, async (each) => {
    await each((connection) => createMigrationsTable(connection, kind))
    for (const migration of migrations) {
      const { failureWarning: warning } = migration
      if (warning !== undefined) {
        await tried(
          each,
          (connection) => migration.up(connection, kind),
          (error) => onFailure(error, warning),
        )
        continue
      }
      await each(async (connection) => {
        if (await isMissing(connection, migration, migrations)) {
          await apply(connection, kind, migration, clock())
        }
      })
    }
  })
}

/** Reports the failure of a step that may fail. @throws {GatewayError} `unavailable`, while the database is. */
async function tried(
  each: (step: Step) => Promise<void>,
  step: Step,
  report: (error: unknown) => void,
): Promise<void> {
  try {
    await each(step)
  } catch (error) {
    if (isPassing(error)) throw error
    // A missing right is `unavailable`, too.
    if (isAway(error))
      await each(async (connection) => void (await sql`select 1`.execute(connection)))
    report(error)
  }
}

function isAway(error: unknown): boolean {
  return error instanceof GatewayError && error.problem === 'unavailable'
}

type Step = (connection: Kysely<MigrationTables>) => Promise<void>

/** Runs steps one after the other while no other node runs one. */
type Locked = (
  database: Kysely<MigrationTables>,
  kind: StoreKind,
  work: (each: (step: Step) => Promise<void>) => Promise<void>,
) => Promise<void>

/** A lock that ends with the transaction of each step: on SQLite, the write lock. */
const inTransactions: Locked = (database, kind, work) =>
  work((step) =>
    database.transaction().execute(async (transaction) => {
      if (kind === 'postgres') await lockPostgres(transaction)
      await step(transaction)
    }),
  )

async function lockPostgres(transaction: Transaction<MigrationTables>): Promise<void> {
  await sql`set local lock_timeout = ${sql.lit(`${lockSeconds}s`)}`.execute(transaction)
  await sql`select pg_advisory_xact_lock(${sql.lit(postgresLock)})`.execute(transaction)
  await sql`set local statement_timeout = 0`.execute(transaction)
}

/** MySQL commits with every change of a table: the lock belongs to the connection, and there is nothing to roll back. */
const withNamedLock: Locked = (database, _kind, work) =>
  database.connection().execute(async (connection) => {
    const taken = await sql<{ taken: number | null }>`
      select get_lock(concat('engine_', left(sha2(database(), 256), 40)), ${sql.lit(lockSeconds)}) as taken
    `.execute(connection)
    if (taken.rows[0]?.taken !== 1) {
      throw new GatewayError('unavailable', 'Another node is changing the service database.')
    }
    try {
      await work((step) => step(connection))
    } finally {
      await sql`
        do release_lock(concat('engine_', left(sha2(database(), 256), 40)))
      `.execute(connection)
    }
  })

async function createMigrationsTable(
  connection: Kysely<MigrationTables>,
  kind: StoreKind,
): Promise<void> {
  const types = columnTypes(kind)
  await connection.schema
    .createTable('engine_migrations')
    .ifNotExists()
    .addColumn('name', types.text(128), (column) => column.primaryKey())
    .addColumn('applied_at', types.time, (column) => column.notNull())
    .execute()
}

/**
 * Checked before each migration: another node may have applied it meanwhile.
 *
 * @throws {GatewayError} `invalidConfiguration` when an unknown migration was applied, by a newer version.
 */
async function isMissing(
  connection: Kysely<MigrationTables>,
  { name }: Migration,
  migrations: readonly Migration[],
): Promise<boolean> {
  const rows = await connection.selectFrom('engine_migrations').select('name').execute()
  const applied = new Set(rows.map((row) => row.name))
  const known = new Set(migrations.map((migration) => migration.name))
  const series = new Set(migrations.map((migration) => seriesOf(migration.name)))
  const newer = [...applied].filter((each) => series.has(seriesOf(each)) && !known.has(each))
  if (newer.length > 0) {
    throw new GatewayError(
      'invalidConfiguration',
      `service_db: the database was changed by a newer version (${newer.sort().join(', ')}); run that version.`,
    )
  }
  return !applied.has(name)
}

async function apply(
  connection: Kysely<MigrationTables>,
  kind: StoreKind,
  { name, up }: Migration,
  timeMs: number,
): Promise<void> {
  try {
    await up(connection, kind)
    await connection.insertInto('engine_migrations').values({ name, applied_at: timeMs }).execute()
  } catch (cause) {
    if (isAway(cause)) throw cause
    throw new GatewayError('invalidConfiguration', `service_db: the migration ${name} failed.`, {
      cause,
    })
  }
}

const namePattern = /^([a-z]+\/(?:[a-z-]+-)?)\d{4}(?:-[a-z0-9-]+)?$/

/** `auth/tokens-0001-keys` → `auth/tokens-`: the series in which numbers are consecutive. */
function seriesOf(name: string): string {
  return namePattern.exec(name)?.[1] ?? name
}

function requireName(name: string): void {
  if (!namePattern.test(name)) throw new Error(`${name} is no name of a migration`)
}
