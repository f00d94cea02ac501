/** @module What the address of the data browser says: filters, order, page. */
import { type Subject, subjectQuery } from '../subject/subject.ts'
import type { Filter, Operator, Sort } from './statement.ts'

export interface View {
  readonly filters: readonly Filter[]
  readonly sort: Sort | undefined
  /** From 1 on. */
  readonly page: number
}

export const firstView: View = { filters: [], sort: undefined, page: 1 }

export function viewOf(search: string): View {
  const query = new URLSearchParams(search)
  const filters = query.getAll('f').flatMap((text) => {
    const [column, operator, value] = listOf(text)
    return column === undefined || operator === undefined
      ? []
      : [{ column, operator: operator as Operator, value: value ?? '' }]
  })
  const [column, order] = listOf(query.get('sort') ?? '')
  const page = Number(query.get('page') ?? '1')
  return {
    filters,
    sort: column === undefined ? undefined : { column, isDown: order === 'desc' },
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  }
}

/** The address of a table in the data browser. */
export function addressOf(
  connection: string,
  table: string,
  { filters, sort, page }: View,
  subject: Subject | undefined,
): string {
  const query = new URLSearchParams(subject === undefined ? '' : subjectQuery(subject, ''))
  for (const { column, operator, value } of filters) {
    query.append('f', JSON.stringify([column, operator, value]))
  }
  if (sort !== undefined) {
    query.set('sort', JSON.stringify([sort.column, sort.isDown ? 'desc' : 'asc']))
  }
  if (page > 1) query.set('page', String(page))
  const text = query.toString()
  const path = [connection, table].map(encodeURIComponent).join('/')
  return `/data/${path}${text === '' ? '' : `?${text}`}`
}

function listOf(text: string): readonly string[] {
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) ? list.filter((each) => typeof each === 'string') : []
  } catch {
    return []
  }
}
