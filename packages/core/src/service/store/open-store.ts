/** @module Opens the service database. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { Kysely, sql } from 'kysely'
import { serviceDatabaseSource } from '../../config/parse/connection-source.ts'
import { GatewayError } from '../../foundation/errors.ts'
import { type Log, silentLog } from '../../foundation/log.ts'
import { createBackgroundWrites } from './background-writes.ts'
import { changeCounterMigrations, createCountedChanges } from './change-counter.ts'
import { createChangeReader } from './change-reader.ts'
import { changeTriggers } from './change-triggers.ts'
import { loadServiceDatabase } from './load-service-database.ts'
import { type MigrationTables, migrate } from './migrate.ts'
import { createReadiness } from './readiness.ts'
import type { ServiceDatabaseFactory } from './service-database.ts'
import type { Store } from './store.ts'
import { storeDialect, type TransactionScope } from './store-dialect.ts'
import { inScope, retried } from './transactions.ts'

/** Options of `openStore`. */
export interface OpenStoreOptions {
  /** Path of a SQLite file (created if it does not exist), or a URL of SQLite, libSQL, PostgreSQL or MySQL. */
  readonly url: string
  readonly log?: Log
  /** `serviceDatabase` of adapter packages by package name, instead of looking for installed packages. */
  readonly serviceDatabases?: Readonly<Record<string, ServiceDatabaseFactory>>
  /** The directory to search for installed adapter packages; the working directory by default. */
  readonly directory?: string
  /** Milliseconds since 1970. */
  readonly clock?: () => number
  /** Other processes of this machine use it, too, even if it is a file. */
  readonly isShared?: boolean
}

/**
 * Opens the service database. A file is opened at once. A server need not be reachable yet: `migrate` keeps trying, and meanwhile
 * every use of the database fails with `unavailable`.
 *
 * @throws {GatewayError} `invalidConfiguration` when the URL is wrong, the adapter package is not installed or the file cannot be
 *   opened.
 */
export async function openStore(options: OpenStoreOptions): Promise<Store> {
  const { url, log = silentLog, clock = Date.now } = options
  const factory = await factoryFor(url, options)
  const service = factory(url, { log })
  const { kind } = service
  const isShared = service.isShared || options.isShared === true
  const scope = new AsyncLocalStorage<TransactionScope>()
  const counted = createCountedChanges()
  const changes = createChangeReader({
    database: service,
    requireReady: () => readiness.require(),
  })
  const onCounted = changes.forget
  const unguarded = new Kysely<MigrationTables>({
    dialect: storeDialect({
      database: service,
      requireReady: () => undefined,
      scope,
      counted,
      onCounted,
    }),
  })
  const warn = warnOnce(log)
  const readiness = createReadiness({
    log,
    isShared,
    migrate: (migrations) =>
      retried(() =>
        migrate(unguarded, {
          kind,
          migrations,
          clock,
          onFailure: warn,
        }),
      ),
  })
  // biome-ignore lint/suspicious/noExplicitAny: every package names its own tables by `withTables`
  const database = new Kysely<any>({
    dialect: storeDialect({
      database: service,
      requireReady: readiness.require,
      scope,
      counted,
      onCounted,
    }),
  })
  let closing: Promise<void> | undefined
  return {
    kind,
    isShared,
    database,
    withTables: <Tables>() => database as Kysely<Tables>,
    transaction: (work) =>
      retried(() =>
        database.transaction().execute((transaction) => inScope(scope, () => work(transaction))),
      ),
    ...createBackgroundWrites({ service, database, counted, requireReady: readiness.require }),
    migrate: readiness.migrate,
    countChanges: async (tables, migrations) => {
      await readiness.migrate(changeCounterMigrations)
      counted.add(tables)
      await readiness.migrate([...migrations, changeTriggers(tables)])
    },
    changeCount: changes.read,
    whenReady: readiness.whenReady,
    ping: async () => {
      await sql`select 1`.execute(database)
    },
    close: () => {
      readiness.close()
      changes.close()
      closing ??= service.close()
      return closing
    },
  }
}

async function factoryFor(
  url: string,
  { serviceDatabases = {}, directory = process.cwd() }: OpenStoreOptions,
): Promise<ServiceDatabaseFactory> {
  const source = serviceDatabaseSource(url)
  if (source === undefined) {
    throw new GatewayError(
      'invalidConfiguration',
      'service_db: expects a SQLite path or a URL of SQLite, libSQL, PostgreSQL or MySQL.',
    )
  }
  const { adapterPackage } = source
  return serviceDatabases[adapterPackage] ?? loadServiceDatabase(adapterPackage, directory)
}

/** Logs each warning once. */
function warnOnce(log: Log): (error: unknown, warning: string) => void {
  const warned = new Set<string>()
  return (err, warning) => {
    if (!warned.has(warning)) log.warn({ err, path: 'service_db' }, warning)
    warned.add(warning)
  }
}
