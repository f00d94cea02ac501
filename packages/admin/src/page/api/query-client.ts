/** @module Everything that was read from the server. Cleared when an administrator leaves. */
import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './http.ts'

/** Nothing waits for a network: a browser that says it is offline may reach this server, and what fails fails in sight. */
const networkMode = 'always'

export const queries: QueryClient = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode,
      retry: (count, error) => error instanceof ApiError && error.status === 0 && count < 1,
      staleTime: 5_000,
      refetchOnWindowFocus: false,
    },
    mutations: { networkMode, retry: false },
  },
})
