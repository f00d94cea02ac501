import type { Json } from './components.ts'

/** One route and method under `/admin/api`. */
export interface AdminOperation {
  /** Default `configuration`: answers have the revision as their ETag. */
  readonly tag?: 'accounts'
  readonly summary: string
  /** A change: takes `If-Match`, `note` and `dryRun`, answers a `ChangeResult`. */
  readonly isChange?: true
  readonly body?: Json
  /** Default 200. */
  readonly status?: 201
  readonly answer?: Json
  readonly parameters?: readonly Json[]
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

export type AdminPaths = Readonly<Record<string, Readonly<Partial<Record<Method, AdminOperation>>>>>
