/** @module The stored configuration: reading parts of it, and whether it can be changed. */
import {
  type QueryClient,
  type UseQueryResult,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import {
  type ApiError,
  type RequestOptions,
  type Revised,
  request,
  requestRevised,
} from './http.ts'
import { useStatus } from './queries.ts'

export interface Change {
  readonly path: string
  readonly before?: unknown
  readonly after?: unknown
  readonly isSecret?: true
}

export interface ChangeResult {
  readonly revision: number
  readonly changes: readonly Change[]
}

/** A change of the stored configuration, before it is sent. */
export interface PlannedChange {
  readonly method: NonNullable<RequestOptions['method']>
  readonly path: string
  readonly body?: unknown
  readonly query?: RequestOptions['query']
  /** The same change, made again from the newest revision; without it the change stays as it is. */
  readonly rebase?: () => Promise<Revised<PlannedChange>>
}

export type Part =
  | 'connections'
  | 'permissions'
  | 'limits'
  | 'security'
  | 'roles'
  | 'settings'
  | 'differences'
  | 'export'

/** A part of the configuration with its revision; without secrets. */
export function useStored<Value>(part: Part): UseQueryResult<Revised<Value>, ApiError> {
  return useQuery<Revised<Value>, ApiError>({
    queryKey: ['stored', part],
    queryFn: ({ signal }) => requestRevised(`/config/${part}`, { signal }),
  })
}

/** Where the configuration comes from; undefined while that is not known. */
export type Source = 'code' | 'read-only' | 'stored'

export function useSource(): Source | undefined {
  const { data } = useStatus()
  if (data === undefined) return undefined
  const { configuration } = data
  if (configuration.mode === 'programmatic') return 'code'
  return configuration.isReadOnly ? 'read-only' : 'stored'
}

/** How long a change waits that no form can cancel, in milliseconds. */
const undoMs = 60_000

/** Takes a change back that was just made. @throws {ApiError} 409 where something has changed since. */
export function undoRevision(revision: number): Promise<ChangeResult> {
  return request(`/config/revisions/${revision}/undo`, {
    method: 'POST',
    signal: AbortSignal.timeout(undoMs),
    ifMatch: revision,
  })
}

/** Names of the queries that depend on the configuration. */
export const storedQueries: readonly string[] = [
  'stored',
  'config',
  'matrix',
  'catalog',
  'status',
  'revisions',
]

/** Reads everything again that depends on the configuration. */
export function useReadAgain(): () => Promise<void> {
  const client = useQueryClient()
  return () => readAgain(client)
}

async function readAgain(client: QueryClient): Promise<void> {
  await Promise.all(storedQueries.map((key) => client.invalidateQueries({ queryKey: [key] })))
}
