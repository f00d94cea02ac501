/** @module Entries of the audit, as the filters of the address say. */
import type { AuditEntry, AuditPage } from '@engine/contract/admin-api'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useDeferredValue, useMemo } from 'react'
import { useLocation } from 'wouter'
import { type ApiError, request } from '../../api/http.ts'
import { useSearchText } from '../../shell/address.ts'

/** Names of the filters that the address may have. */
const filterNames = [
  'kind',
  'since',
  'until',
  'text',
  'caller',
  'includeSystem',
  'connection',
  'action',
  'error',
  'correlationId',
] as const

/** By the names of `GET /audit`; without those that are not set. */
export type AuditFilter = Readonly<Record<string, string>>

export interface AuditFilterControl {
  readonly filter: AuditFilter
  /** Changes the address; an empty value removes a filter. */
  readonly set: (values: AuditFilter) => void
}

export function useAuditFilter(): AuditFilterControl {
  const [path, go] = useLocation()
  const search = useSearchText()
  const filter = useMemo(() => {
    const query = new URLSearchParams(search)
    return Object.fromEntries(
      filterNames.flatMap((name): [string, string][] => {
        const value = query.get(name)
        return value === null || value === '' ? [] : [[name, value]]
      }),
    )
  }, [search])
  const set = (values: AuditFilter) => {
    const query = new URLSearchParams(search)
    for (const [name, value] of Object.entries(values)) {
      if (value === '') query.delete(name)
      else query.set(name, value)
    }
    go(`${path}?${query}`, { replace: true })
  }
  return { filter, set }
}

export interface AuditList {
  /** Newest first; undefined until the first page is there. */
  readonly entries: readonly AuditEntry[] | undefined
  readonly error: ApiError | null
  readonly isPending: boolean
  readonly refetch: () => void
  readonly readMore: () => void
  /** Reads more when the end comes into view, unless that has failed before. */
  readonly onEnd: () => void
}

export function useAuditList(filter: AuditFilter): AuditList {
  const asked = useDeferredValue(filter)
  const list = useInfiniteQuery<AuditPage, ApiError, readonly AuditEntry[], unknown[], string>({
    queryKey: ['audit', asked],
    queryFn: ({ pageParam, signal }) =>
      request('GET /audit', { signal, query: { ...asked, before: pageParam, limit: 200 } }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
    select: ({ pages }) => pages.flatMap(({ entries }) => entries),
  })
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage])
  return {
    entries: list.data,
    error: list.error,
    isPending: list.isPending,
    refetch: () => void list.refetch(),
    readMore: () => void fetchNextPage(),
    onEnd,
  }
}
