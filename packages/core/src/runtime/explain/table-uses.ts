/** @module The tables that a statement uses, with position and operation. */

import { tableAddress } from '../../compiler/bind/scope/table-address.ts'
import type { BoundStatement, RelationId } from '../../compiler/bind/tree/bound-query.ts'
import { visitStatement } from '../../compiler/bind/tree/visit-query.ts'
import type { Catalog, Table } from '../../compiler/catalog/catalog.ts'
import type { Operation } from '../../compiler/catalog/operation.ts'
import { insertedColumns } from '../../compiler/permissions/authorize/write-rules.ts'
import type { ParsedStatement } from '../../compiler/sql/parse.ts'

/** One operation on one occurrence of a table in a statement. */
export interface TableUse {
  /** Number of the occurrence, from 1; an occurrence has an entry for each of its operations. */
  readonly reference: number
  readonly table: Table
  readonly operation: Operation
  /** Identity of its rows in the bound statement; undefined where the statement could not be bound. */
  readonly relation: RelationId | undefined
  /** Ordinals of the columns it writes. */
  readonly columns: readonly number[]
  /** FOR UPDATE and similar clauses: the right to update is needed, nothing is written. */
  readonly isLock: boolean
}

/** The uses of a bound statement. */
export function usesOf(statement: BoundStatement): readonly TableUse[] {
  const uses: TableUse[] = []
  const locked = lockedRelations(statement)
  let reference = 0
  visitStatement(statement, {
    fromItem: (item) => {
      if (item.kind !== 'table') return
      reference += 1
      const place = { reference, table: item.table, relation: item.id, columns: [], isLock: false }
      uses.push({ ...place, operation: 'select' })
      if (locked.has(item.id)) uses.push({ ...place, operation: 'update', isLock: true })
    },
    write: (write) => {
      const { table, oldRow } = write.target
      reference += 1
      const add = (operation: Operation, columns: readonly number[]) =>
        void uses.push({ reference, table, operation, relation: oldRow, columns, isLock: false })
      if (write.kind === 'insert') {
        const { onConflict, returning } = write
        add('insert', insertedColumns(write))
        if (onConflict?.action.kind === 'update') {
          add(
            'update',
            onConflict.action.assignments.map(({ column }) => column),
          )
        }
        if (onConflict !== undefined || returning !== undefined) add('select', [])
      } else {
        const assignments = write.kind === 'update' ? write.assignments : []
        add(
          write.kind,
          assignments.map(({ column }) => column),
        )
        add('select', [])
      }
    },
  })
  return uses
}

function lockedRelations(statement: BoundStatement): ReadonlySet<RelationId> {
  const locked = new Set<RelationId>()
  visitStatement(statement, {
    query: (query) => {
      if (query.kind !== 'select') return
      for (const { relations } of query.locking) for (const id of relations) locked.add(id)
    },
  })
  return locked
}

/** The existing tables whose names a statement contains; for statements that cannot be bound. */
export function usesNamed(parsed: ParsedStatement, catalog: Catalog): readonly TableUse[] {
  const { statement } = parsed
  const [operation, target] =
    'InsertStmt' in statement
      ? (['insert', statement.InsertStmt.relation] as const)
      : 'UpdateStmt' in statement
        ? (['update', statement.UpdateStmt.relation] as const)
        : 'DeleteStmt' in statement
          ? (['delete', statement.DeleteStmt.relation] as const)
          : 'MergeStmt' in statement
            ? (['update', statement.MergeStmt.relation] as const)
            : (['select', undefined] as const)
  return parsed.relations.flatMap((relation, i): readonly TableUse[] => {
    const address = tableAddress(relation, catalog)
    const table = catalog.connections
      .get(address.connection ?? catalog.defaultConnection ?? '')
      ?.tables.get(address.table)
    if (table === undefined) return []
    const place = { reference: i + 1, table, relation: undefined, columns: [], isLock: false }
    return [{ ...place, operation: relation === target ? operation : 'select' }]
  })
}
