/** @module Lists that the server sends in pages. */

import type { AdminApi } from '@engine/contract/admin-api'
import { type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { type AnyRequest, type ApiError, request } from '../../api/http.ts'

export interface Listed<Item> {
  readonly items: readonly Item[]
  readonly error: ApiError | null
  readonly isLoading: boolean
  readonly refetch: () => void
  /** Reads the next page, if there is one. */
  readonly onEnd: () => void
}

/** The lists by the name of their route, which is that of the field with the entries. */
type ListName = 'users' | 'sessions' | 'invitations'

type Page<Name extends ListName> = AdminApi[`GET /${Name}`]

type ItemOf<Name extends ListName> =
  Page<Name> extends Readonly<Record<Name, readonly (infer Item)[]>> ? Item : never

export function useList<Name extends ListName>(
  name: Name,
  query: Exclude<AnyRequest['query'], URLSearchParams> = {},
): Listed<ItemOf<Name>> {
  const list: UseInfiniteQueryResult<readonly ItemOf<Name>[], ApiError> = useInfiniteQuery({
    queryKey: [name, query],
    queryFn: ({ pageParam, signal }): Promise<Page<ListName>> =>
      request<`GET /${ListName}`>(`GET /${name}`, {
        signal,
        query: { ...query, cursor: pageParam, limit: 100 },
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next ?? undefined,
    select: ({ pages }) => pages.flatMap((page) => itemsOf(page, name)),
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

/** The entries of a page that the route of this name has answered. */
function itemsOf<Name extends ListName>(page: object, name: Name): readonly ItemOf<Name>[] {
  return (page as Readonly<Record<Name, readonly ItemOf<Name>[]>>)[name]
}
