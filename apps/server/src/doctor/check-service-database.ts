import { existsSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { authMigrations } from '@engine/auth'
import { silentLog } from '@engine/core'
import { type Settings, serviceDatabaseSource } from '@engine/core/server'
import {
  auditMigrations,
  changeCounterMigrations,
  configurationMigrations,
  installedTriggersSql,
  rateLimitMigrations,
  type ServiceConnection,
  type ServiceDatabaseFactory,
} from '@engine/core/store'
import { adminSessionMigrations } from '@engine/http'
import Database from 'better-sqlite3'
import { checkServer } from './check-databases.ts'
import { checkReaders, checkWritable } from './check-files.ts'
import { type Finding, fault, ok, warning } from './finding.ts'

const about = 'service_db'

/**
 * Checks whether accounts, sessions and the audit can be stored. Changes nothing: the server creates the tables when it
 * starts.
 */
export async function checkServiceDatabase(
  { serviceDatabase: url }: Settings,
  factories: Readonly<Record<string, ServiceDatabaseFactory>>,
): Promise<readonly Finding[]> {
  const source = serviceDatabaseSource(url)
  if (source === undefined) return [fault(about, 'is neither a path nor a URL of a database')]
  if (source.adapterPackage === '@engine/adapters-sqlite') return checkFile(pathOf(url))
  const factory = factories[source.adapterPackage]
  if (factory === undefined) return [fault(about, `${source.adapterPackage} is not installed`)]
  const findings = await checkServer(about, url, factory)
  if (findings.some(({ level }) => level === 'fault')) return findings
  return [...findings, ...(await serverTables(url, factory))]
}

async function checkFile(path: string): Promise<readonly Finding[]> {
  const writable = await checkWritable(about, path)
  const single = ok(about, 'a file: for one node; several need PostgreSQL or MySQL')
  if (!existsSync(path)) return [writable, single]
  return [writable, single, ...(await checkReaders(about, path)), ...fileTables(path)]
}

function fileTables(path: string): readonly Finding[] {
  let database: Database.Database | undefined
  try {
    database = new Database(path, { readonly: true, fileMustExist: true })
    const isNew =
      database
        .prepare("select 1 from sqlite_schema where type = 'table' and name = 'engine_migrations'")
        .get() === undefined
    const rows = isNew ? [] : database.prepare('select name from engine_migrations').all()
    const triggers = isNew ? [] : database.prepare(installedTriggersSql('sqlite')).all()
    return judgeTables(rows, triggers)
  } catch {
    return [fault(about, 'the file is no SQLite database that can be read')]
  } finally {
    database?.close()
  }
}

async function serverTables(
  url: string,
  factory: ServiceDatabaseFactory,
): Promise<readonly Finding[]> {
  const database = factory(url, { log: silentLog })
  let connection: ServiceConnection | undefined
  try {
    connection = await database.acquire()
    const { rows } = await connection.execute('select name from engine_migrations', [])
    const triggers = await connection.execute(installedTriggersSql(database.kind), [])
    return judgeTables(rows, triggers.rows)
  } catch {
    return [ok(about, 'has no tables yet: they are made at the first start')]
  } finally {
    connection?.release()
    await database.close()
  }
}

function judgeTables(
  migrations: readonly unknown[],
  triggers: readonly unknown[],
): readonly Finding[] {
  if (migrations.length === 0) {
    return [ok(about, 'has no tables yet: they are made at the first start')]
  }
  const applied = new Set(migrations.map((row) => String(Reflect.get(Object(row), 'name'))))
  return [judgeMigrations(applied), ...judgeTriggers(applied, triggers)]
}

/** Tables whose triggers are looked for, with the migration that makes them. */
const counted = [
  ['engine_users', 'auth/accounts-0001-initial'],
  ['engine_sessions', 'auth/accounts-0001-initial'],
  ['engine_api_keys', 'auth/tokens-0001-initial'],
] as const

function judgeTriggers(
  applied: ReadonlySet<string>,
  triggers: readonly unknown[],
): readonly Finding[] {
  const tables = new Set(triggers.map((row) => Reflect.get(Object(row), 'table')))
  const without = counted.filter(([table, made]) => applied.has(made) && !tables.has(table))
  if (without.length === 0) return []
  return [
    warning(
      about,
      `rows of ${without.map(([table]) => table).join(', ')} that are changed by hand count after half a minute: triggers are missing. The next start makes them, if its account may (MySQL: TRIGGER, and with a binary log log_bin_trust_function_creators)`,
    ),
  ]
}

function judgeMigrations(applied: ReadonlySet<string>): Finding {
  const known = [
    ...changeCounterMigrations,
    ...configurationMigrations,
    ...authMigrations,
    ...auditMigrations,
    ...rateLimitMigrations,
    ...adminSessionMigrations,
  ]
  const names = new Set(known.map(({ name }) => name))
  const newer = [...applied].filter((name) => !names.has(name))
  if (newer.length > 0) {
    return warning(about, `was changed by another version: ${newer.join(', ')}`)
  }
  const missing = known.filter(({ name }) => !applied.has(name)).length
  return ok(about, `${applied.size} migrations are applied, ${missing} come when they are needed`)
}

/** Accepts `file:` URLs and paths; relative ones start at the working directory, as in the server. */
function pathOf(url: string): string {
  if (!url.startsWith('file:')) return resolve(url)
  const path = url.slice('file:'.length).replace(/[?#].*$/, '')
  return path.startsWith('//')
    ? fileURLToPath(`file:${path}`)
    : isAbsolute(path)
      ? path
      : resolve(path)
}
