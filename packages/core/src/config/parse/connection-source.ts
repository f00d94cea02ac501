import type { DatabaseKind } from '@engine/contract'
import type { WithAdapterOptions } from '../options/adapter-options.ts'

/** The database that a connection value refers to, and the package that connects to it. */
export interface ConnectionSource {
  readonly kind: DatabaseKind
  readonly adapterPackage: string
  /** The database has a type for every column: the configuration can set none. */
  readonly declaresTypes?: true
  /** The database has several schemas: one connection can show them all. */
  readonly hasSchemas?: true
}

const postgres: ConnectionSource = {
  kind: 'postgres',
  adapterPackage: '@engine/adapters-postgres',
  declaresTypes: true,
  hasSchemas: true,
}
const mysql: ConnectionSource = { kind: 'mysql', adapterPackage: '@engine/adapters-mysql' }
const sqlite: ConnectionSource = { kind: 'sqlite', adapterPackage: '@engine/adapters-sqlite' }
const libsql: ConnectionSource = { kind: 'sqlite', adapterPackage: '@engine/adapters-libsql' }

/** By URL scheme, where no adapter is registered for it. */
const usualSchemes: ReadonlyMap<string, ConnectionSource> = new Map([
  ['postgres', postgres],
  ['postgresql', postgres],
  ['mysql', mysql],
  ['mariadb', mysql],
  ['libsql', libsql],
  ['http', libsql],
  ['https', libsql],
  ['ws', libsql],
  ['wss', libsql],
])

/** The source of a directory. */
export const directorySource: ConnectionSource = {
  kind: 'csv',
  adapterPackage: '@engine/adapters-csv',
}

/**
 * Adapters by package name for the configuration: with the URL schemes that they register, or a function where their schemes are
 * built in. See `Adapters`.
 */
export type RegisteredAdapters = Readonly<
  Record<
    string,
    | {
        readonly name: DatabaseKind
        readonly schemes: readonly string[]
        readonly connect: Connect
      }
    | Connect
  >
>

type Connect = ((...options: never[]) => unknown) & WithAdapterOptions

/** The same for the service database: a text that is not a URL is the path of a SQLite file, whatever its name. */
export function serviceDatabaseSource(url: string): ConnectionSource | undefined {
  if (url === ':memory:' || !/^[a-z][a-z0-9+.-]*:\/\//i.test(url)) return sqlite
  return connectionSource(url)
}

/**
 * Infers the kind of database from a URL or path; undefined when it fits none.
 *
 * @param adapters the registered adapters: their schemes come first.
 */
export function connectionSource(
  url: string,
  adapters: RegisteredAdapters = {},
): ConnectionSource | undefined {
  const scheme = /^([a-z][a-z0-9+.-]*):/.exec(url)?.[1]
  if (scheme !== undefined) {
    for (const [adapterPackage, adapter] of Object.entries(adapters)) {
      if (typeof adapter === 'function' || !adapter.schemes.includes(scheme)) continue
      return { kind: adapter.name, adapterPackage }
    }
    const usual = url.startsWith(`${scheme}://`) ? usualSchemes.get(scheme) : undefined
    if (usual !== undefined) return usual
    if (scheme === 'file') return sqlite
  }
  return !/^[a-z][a-z0-9+.-]*:\/\//i.test(url) && /\.(db|sqlite)$/.test(url) ? sqlite : undefined
}

/** For messages: `expects postgres://, ...`. */
export function schemesNamed(adapters: RegisteredAdapters): string {
  const registered = Object.values(adapters).flatMap((adapter) =>
    typeof adapter === 'function' ? [] : adapter.schemes.map((scheme) => `${scheme}:, `),
  )
  return `${registered.join('')}postgres://, mysql://, libsql://, file: or a path in .db or .sqlite`
}
