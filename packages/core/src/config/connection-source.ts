import type { ConnectionKind } from '../catalog/catalog.ts'

/** Which database a connection value means, and which package speaks to it. */
export interface ConnectionSource {
  readonly kind: ConnectionKind
  readonly adapterPackage: string
}

const postgres: ConnectionSource = {
  kind: 'postgres',
  adapterPackage: '@engine/adapters-postgres',
}
const sqlite: ConnectionSource = { kind: 'sqlite', adapterPackage: '@engine/adapters-sqlite' }

/** What a directory means. */
export const directorySource: ConnectionSource = {
  kind: 'csv',
  adapterPackage: '@engine/adapters-csv',
}

/** The same for the service database: what is no URL is the path of a SQLite file, whatever its name. */
export function serviceDatabaseSource(url: string): ConnectionSource | undefined {
  if (url === ':memory:' || !/^[a-z][a-z0-9+.-]*:\/\//i.test(url)) return sqlite
  return connectionSource(url)
}

/** Infers the kind of database from a URL or path; undefined when it fits none. */
export function connectionSource(url: string): ConnectionSource | undefined {
  if (/^postgres(ql)?:\/\//.test(url)) return postgres
  if (/^(mysql|mariadb):\/\//.test(url)) {
    return { kind: 'mysql', adapterPackage: '@engine/adapters-mysql' }
  }
  if (/^(libsql|https?|wss?):\/\//.test(url)) {
    return { kind: 'sqlite', adapterPackage: '@engine/adapters-libsql' }
  }
  if (/^file:/.test(url)) return sqlite
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(url) && /\.(db|sqlite)$/.test(url)) return sqlite
  return undefined
}
