/** @module What the engine trusts: a configuration that was checked, defaults filled in, units converted. */
import type { ConnectionKind } from '../catalog/catalog.ts'
import type { Permission } from '../permissions/permission.ts'
import type { DirectoryConnection, RelationshipConfig } from './config.ts'

export interface Settings {
  readonly masterKey: string | undefined
  readonly connections: ReadonlyMap<string, ConnectionSettings>
  readonly auth: AuthSettings | undefined
  readonly jwt: JwtSettings
  /** By name. */
  readonly permissions: ReadonlyMap<string, Permission>
  readonly limits: Limits
}

export interface ConnectionSettings {
  readonly name: string
  readonly kind: ConnectionKind
  /** The package that opens it. */
  readonly adapterPackage: string
  readonly url: string
  readonly poolMax: number | undefined
  readonly readOnly: boolean
  readonly schema: string | undefined
  readonly include: readonly string[] | undefined
  readonly exclude: readonly string[]
  readonly relationships: Readonly<Record<string, Readonly<Record<string, RelationshipConfig>>>>
  readonly create: boolean
  /** A directory of CSV files. */
  readonly csv: DirectorySettings | undefined
}

/** See `DirectoryConnection`. */
export interface DirectorySettings {
  readonly directory: string
  readonly tables: DirectoryConnection['tables'] | undefined
  readonly writable: boolean | undefined
  readonly onError: 'fail' | 'skip' | undefined
}

export interface AuthSettings {
  readonly secret: string
  readonly defaultRoles: readonly string[]
  /** Path of the claim that holds the roles. */
  readonly rolesClaim: readonly string[]
}

export interface JwtSettings {
  readonly algorithms: readonly string[] | undefined
  readonly issuer: string | undefined
  readonly audience: string | undefined
  readonly clockSkewSeconds: number
}

export interface Limits {
  readonly maxRows: number
  /** Tables on the longest chain of joins and subqueries. */
  readonly maxRelationDepth: number
  /** AND, OR and NOT inside each other. */
  readonly maxFilterNesting: number
  /** Conditions of one statement. */
  readonly maxFilterConditions: number
  readonly maxRequestBodyBytes: number
  readonly queryTimeoutMs: number
}
