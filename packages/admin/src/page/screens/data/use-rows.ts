/** @module A page of a table's rows, read as a caller. */
import type { StatementAnswer } from '@engine/contract/admin-api'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { ApiError, request } from '../../api/http.ts'
import { subjectBody } from '../subject/subject.ts'
import type { BrowsedTable } from './browsed-table.ts'
import { type Statement, selectOf } from './statement.ts'
import type { View } from './view.ts'

export interface RowsPage {
  readonly answer: StatementAnswer
  readonly statement: Statement
}

export function useRows(browsed: BrowsedTable, view: View): UseQueryResult<RowsPage, ApiError> {
  const { connection, name, subject } = browsed
  return useQuery<RowsPage, ApiError>({
    queryKey: ['data', connection, name, view, subject],
    queryFn: ({ signal }) => readPage(browsed, view, signal),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
}

/** Rows have the order of the primary key, if this caller may see it: pages need some order. */
async function readPage(props: BrowsedTable, view: View, signal: AbortSignal): Promise<RowsPage> {
  const { connection, name, table, subject } = props
  const read = async (sort: readonly NonNullable<View['sort']>[]): Promise<RowsPage> => {
    const statement = selectOf({ connection, table: name }, { ...view, sort })
    const answer = await request('POST /query', {
      body: { ...statement, method: 'all', ...subjectBody(subject) },
      signal,
    })
    return { answer, statement }
  }
  const byKey = Object.entries(table.columns)
    .filter(([, { primaryKey }]) => primaryKey)
    .map(([column]) => ({ column, isDown: false }))
  if (view.sort !== undefined) return read([view.sort])
  try {
    return await read(byKey)
  } catch (error) {
    const isHidden = error instanceof ApiError && [400, 403, 404].includes(error.status)
    if (!isHidden || byKey.length === 0) throw error
    return read([])
  }
}
