/** @module Runs statements on the tables of an application, and checks their answers. */
import type { Table } from '@engine/core/catalog'
import { canonicalText } from '@engine/corpus/compare-rows'
import type { TestGateway } from '../support/gateway.ts'

export type Row = readonly unknown[]

export interface Statement {
  readonly sql: string
  readonly params?: Row
}

export interface Asking {
  /** Answer of `POST /data`: rows, or undefined for a refusal, which counts as a complaint. */
  rows(statement: Statement): Promise<readonly Row[] | undefined>
  /** Complains unless the rows are these, in any order. */
  expectRows(statement: Statement, expected: readonly Row[]): Promise<void>
  complain(statement: Statement, reason: string): void
  readonly complaints: readonly string[]
}

export function createAsking(gateway: TestGateway): Asking {
  const complaints: string[] = []
  const complain = ({ sql, params = [] }: Statement, reason: string) => {
    complaints.push(`${sql} ${JSON.stringify(params)}: ${reason}`)
  }
  const rows = async (statement: Statement): Promise<readonly Row[] | undefined> => {
    const { sql, params = [] } = statement
    const { status, body } = await gateway.data({ sql, params, method: 'all' })
    if (status === 200) return (body as { readonly rows: readonly Row[] }).rows
    complain(statement, `${status} ${JSON.stringify(body)}`)
    return undefined
  }
  return {
    rows,
    complain,
    complaints,
    expectRows: async (statement, expected) => {
      const found = await rows(statement)
      if (found === undefined || sortedText(found) === sortedText(expected)) return
      complain(statement, `${sortedText(expected)} expected, ${sortedText(found)} received`)
    },
  }
}

/** The same text for the same rows in any order. */
export function sortedText(rows: readonly Row[]): string {
  return rows.map(canonicalText).toSorted().join('\n')
}

export function pathOf({ connection, name }: Table): string {
  return `${connection}.${quoted(name)}`
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
