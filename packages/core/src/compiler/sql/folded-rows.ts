/** @module Folded rows in the tree of their text. */
import type { InsertStmt, Node, ParamRef, SelectStmt } from '@pgsql/types'
import type { FoldedRows } from './repeated-rows.ts'

/** VALUES as an INSERT has it, without the clauses of a query: with ORDER BY or LIMIT its rows are those of a query. */
export function isPlainValues(select: SelectStmt): boolean {
  const { valuesLists, sortClause, limitCount, limitOffset, lockingClause, withClause } = select
  const extras = [sortClause, limitCount, limitOffset, lockingClause, withClause]
  return valuesLists !== undefined && extras.every((clause) => clause === undefined)
}

/** The folded rows in the tree of their text; undefined when they are not the rows of an INSERT. */
export function foldedRowsOf(statement: unknown, folded: FoldedRows): SelectStmt | undefined {
  const values = valuesOfInsert(statement)
  return values !== undefined && areFoldedRows(values, folded) ? values : undefined
}

function valuesOfInsert(statement: unknown): SelectStmt | undefined {
  const { InsertStmt: insert } = statement as { readonly InsertStmt?: InsertStmt }
  const source = insert?.selectStmt
  if (source === undefined || !('SelectStmt' in source)) return undefined
  return isPlainValues(source.SelectStmt) ? source.SelectStmt : undefined
}

function areFoldedRows({ valuesLists = [] }: SelectStmt, { shapes, bytes }: FoldedRows): boolean {
  return (
    valuesLists.length === shapes.length &&
    valuesLists.every((list, index) => {
      const cells = 'List' in list ? (list.List.items ?? []) : []
      const shape = shapes[index]
      const { number = 0, location = 0 } = firstParameter(cells) ?? {}
      const isInPlace = location >= bytes.from && location < bytes.to
      return isInPlace && cells.length === shape?.cells && number - 1 === shape.firstParameter
    })
  )
}

function firstParameter(cells: readonly Node[]): ParamRef | undefined {
  for (const cell of cells) {
    const inner = 'TypeCast' in cell ? cell.TypeCast.arg : cell
    if (inner !== undefined && 'ParamRef' in inner) return inner.ParamRef
  }
  return undefined
}
