/** @module Lists that the server sends in pages. */
import { type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { type ApiError, type RequestOptions, request } from '../../api/http.ts'

export interface Listed<Item> {
  readonly items: readonly Item[]
  readonly error: ApiError | null
  readonly isLoading: boolean
  readonly refetch: () => void
  /** Reads the next page, if there is one. */
  readonly onEnd: () => void
}

/** @param name the field of the answer that has the entries. */
export function useList<Item>(
  path: string,
  name: string,
  query: RequestOptions['query'] = {},
): Listed<Item> {
  const list: UseInfiniteQueryResult<readonly Item[], ApiError> = useInfiniteQuery({
    queryKey: [name, query],
    queryFn: ({ pageParam, signal }): Promise<Readonly<Record<string, unknown>>> =>
      request(path, { signal, query: { ...query, cursor: pageParam, limit: 100 } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => (last['next'] as string | null) ?? undefined,
    select: ({ pages }) => pages.flatMap((page) => page[name] as readonly Item[]),
    retry: false,
  })
  const { hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = list
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  return {
    items: list.data ?? [],
    error: list.error,
    isLoading: list.isPending,
    refetch: () => void refetch(),
    onEnd,
  }
}
