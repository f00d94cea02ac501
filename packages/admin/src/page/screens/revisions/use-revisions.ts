import type { RevisionSummary, RevisionsPage } from '@engine/contract/admin-api'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { type ApiError, request } from '../../api/http.ts'

export interface RevisionList {
  /** Newest first; undefined until the first page is there. */
  readonly revisions: readonly RevisionSummary[] | undefined
  readonly error: ApiError | null
  readonly isPending: boolean
  readonly refetch: () => void
  /** Reads more when the end comes into view. */
  readonly onEnd: () => void
}

export function useRevisions(): RevisionList {
  const { data, error, refetch, isPending, hasNextPage, fetchNextPage } = useInfiniteQuery<
    RevisionsPage,
    ApiError,
    readonly RevisionSummary[],
    readonly string[],
    number | undefined
  >({
    queryKey: ['revisions'],
    queryFn: ({ pageParam, signal }) =>
      request('GET /config/revisions', { signal, query: { before: pageParam, limit: 100 } }),
    initialPageParam: undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    select: ({ pages }) => pages.flatMap(({ revisions }) => revisions),
  })
  const onEnd = useCallback(() => {
    if (hasNextPage) void fetchNextPage()
  }, [hasNextPage, fetchNextPage])
  return { revisions: data, error, isPending, refetch: () => void refetch(), onEnd }
}
