/** @module What several screens read. */
import type {
  Catalog,
  EngineMetrics,
  EngineStatus,
  PermissionMatrix,
  RulesGuess,
} from '@engine/contract/admin-api'
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type ApiError, request } from './http.ts'
import { lostSince } from './reach.ts'

export function useStatus(): UseQueryResult<EngineStatus, ApiError> {
  return useQuery<EngineStatus, ApiError>({
    queryKey: ['status'],
    queryFn: ({ signal }) => request('GET /status', { signal, isBackground: true }),
    // Whether the server answers again is found out soon.
    refetchInterval: () => (lostSince() === undefined ? 10_000 : 3_000),
    placeholderData: keepPreviousData,
  })
}

export function useMetrics(): UseQueryResult<EngineMetrics, ApiError> {
  return useQuery<EngineMetrics, ApiError>({
    queryKey: ['metrics'],
    queryFn: ({ signal }) => request('GET /metrics', { signal, isBackground: true }),
    refetchInterval: 10_000,
    placeholderData: keepPreviousData,
  })
}

export function useCatalog(): UseQueryResult<Catalog, ApiError> {
  return useQuery<Catalog, ApiError>({
    queryKey: ['catalog'],
    queryFn: ({ signal, client }) =>
      request('GET /catalog', {
        signal,
        isBackground: isIncomplete(client.getQueryData<Catalog>(['catalog'])),
      }),
    staleTime: 60_000,
    // A database that was slow to answer shows its tables as soon as it does.
    refetchInterval: ({ state }) => isIncomplete(state.data) && 2_000,
  })
}

function isIncomplete(catalog: Catalog | undefined): boolean {
  return (catalog?.unreached.length ?? 0) > 0
}

/** @param isWatched changes that others make are shown within seconds. */
export function useMatrix({
  isWatched = false,
}: {
  readonly isWatched?: boolean
} = {}): UseQueryResult<PermissionMatrix, ApiError> {
  return useQuery<PermissionMatrix, ApiError>({
    queryKey: ['matrix'],
    queryFn: ({ signal }) =>
      request('GET /permissions/matrix', { signal, isBackground: isWatched }),
    staleTime: 60_000,
    refetchInterval: isWatched && 3_000,
  })
}

export function useConfig(): UseQueryResult<Readonly<Record<string, unknown>>, ApiError> {
  return useQuery<Readonly<Record<string, unknown>>, ApiError>({
    queryKey: ['config'],
    queryFn: ({ signal }) => request('GET /config', { signal }),
    staleTime: 60_000,
  })
}

/** Names of all tables: `main.orders`. */
export function tableNames(catalog: Catalog | undefined): readonly string[] {
  return Object.entries(catalog?.connections ?? {}).flatMap(([connection, { tables }]) =>
    Object.keys(tables).map((table) => `${connection}.${table}`),
  )
}

/**
 * The first rules for a connection.
 *
 * @param by the column by which rows belong to a caller; empty: none; undefined: the first guess.
 */
export function useRulesGuess(
  connection: string,
  { by, field }: { readonly by?: string | undefined; readonly field?: string | undefined } = {},
): UseQueryResult<RulesGuess, ApiError> {
  const { data: catalog } = useCatalog()
  // A database that has not answered has no tables: its guess is made again when it has.
  const isReached = catalog?.unreached.includes(connection) !== true
  const query = new URLSearchParams({ connection })
  if (by !== undefined) query.set('by', by)
  if (field !== undefined) query.set('field', field)
  return useQuery<RulesGuess, ApiError>({
    queryKey: ['catalog', 'rules', `${query}`, isReached],
    queryFn: ({ signal }) => request('GET /catalog/rules', { signal, query }),
    enabled: connection !== '' && catalog !== undefined,
    placeholderData: keepPreviousData,
  })
}
