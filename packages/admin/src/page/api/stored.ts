/** @module The stored configuration: reading parts of it, and whether it can be changed. */
import type { AdminApi, AdminRouteName, ChangeResult } from '@engine/contract/admin-api'
import {
  type QueryClient,
  type UseQueryResult,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { type ApiError, type RequestTo, type Revised, request, requestRevised } from './http.ts'
import { useStatus } from './queries.ts'

/** The routes that change the configuration. */
type ChangeRoute = {
  [Route in AdminRouteName]: Route extends `GET ${string}`
    ? never
    : AdminApi[Route] extends ChangeResult
      ? Route
      : never
}[AdminRouteName]

/** A change of the stored configuration, before it is sent. */
export type PlannedChange = {
  [Route in ChangeRoute]: {
    readonly route: Route
    readonly body?: unknown
    readonly query?: Readonly<Record<string, string>>
    /** The same change, made again from the newest revision; without it the change stays as it is. */
    readonly rebase?: () => Promise<Revised<PlannedChange>>
  } & Pick<RequestTo<Route>, 'params'>
}[ChangeRoute]

/** Sends a change, or tries it with the query `dryRun`. */
export function sendChange(
  { route, params, body, query }: PlannedChange,
  {
    signal,
    base,
    more,
  }: {
    readonly signal: AbortSignal
    /** The revision that it starts from. */
    readonly base: number
    readonly more: Readonly<Record<string, string>>
  },
): Promise<ChangeResult> {
  // A planned change has the parameters of its route.
  const options = { signal, params, body, query: { ...query, ...more }, ifMatch: base }
  return request<ChangeRoute>(route, options as RequestTo<ChangeRoute>)
}

/** What is shown of the stored configuration. */
export type Shown = 'roles' | 'settings' | 'differences'

/** A part of the configuration with its revision. */
export function useShown<Name extends Shown>(
  name: Name,
): UseQueryResult<Revised<AdminApi[`GET /config/${Name}`]>, ApiError> {
  return useStoredPart<AdminApi[`GET /config/${Name}`]>(name)
}

/** A part as a configuration file writes it, without secrets, with its revision; null where it is absent. */
export function useStored<Value>(
  part: 'connections' | 'permissions',
): UseQueryResult<Revised<Value | null>, ApiError> {
  return useStoredPart<Value | null>(part)
}

function useStoredPart<Value>(
  part: Shown | 'connections' | 'permissions',
): UseQueryResult<Revised<Value>, ApiError> {
  return useQuery<Revised<Value>, ApiError>({
    queryKey: ['stored', part],
    queryFn: async ({ signal }) => {
      const { value, revision } = await requestRevised(`GET /config/${part}`, { signal })
      return { value: value as Value, revision }
    },
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
  return request('POST /config/revisions/:number/undo', {
    params: { number: revision },
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
