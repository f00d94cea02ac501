/**
 * @module Explains one use of a table: the permissions that admit it, the visible part of the table, the conditions on a write.
 */

import type {
  TableExplanation,
  VirtualTableExplanation,
  WriteExplanation,
} from '@engine/contract/admin-api'
import type { BoundStatement, RelationId } from '../../compiler/bind/tree/bound-query.ts'
import type { SecuredTable } from '../../compiler/bind/tree/secured-table.ts'
import { visitStatement } from '../../compiler/bind/tree/visit-query.ts'
import type { Table } from '../../compiler/catalog/catalog.ts'
import { readRules } from '../../compiler/permissions/authorize/read-rules.ts'
import {
  checkExpression,
  deleteRows,
  writeRules,
} from '../../compiler/permissions/authorize/write-rules.ts'
import { barrierReason } from '../../compiler/permissions/barrier/barrier.ts'
import { findLeaks, type Leaks } from '../../compiler/permissions/barrier/leakage.ts'
import { isLeakyOperation } from '../../compiler/permissions/barrier/leaky-operation.ts'
import type { TypeSystem } from '../../compiler/sql-types/system/type-system.ts'
import { describeExpression } from './describe-expression.ts'
import {
  columnNames,
  conditionText,
  permissionVerdicts,
  presetTexts,
  refusalOf,
  type VerdictContext,
} from './permission-verdicts.ts'
import type { TableUse } from './table-uses.ts'

/** The available facts about the statement of the tables. */
export interface StatementFacts {
  /** As far as binding succeeded. */
  readonly bound: BoundStatement | undefined
  /** As far as authorization succeeded. */
  readonly authorized: BoundStatement | undefined
  readonly hidesConstants: boolean
}

/** Explains the uses of one statement. */
export function createTableExplainer(
  facts: StatementFacts,
): (use: TableUse, context: VerdictContext) => TableExplanation {
  const barriers = barriersOf(facts)
  return (use, context) => {
    const { access } = context
    const { reference, table, operation, relation, isLock } = use
    const base = {
      reference,
      table: `${table.connection}.${table.name}`,
      operation,
      alias: relation === undefined ? undefined : `t${relation}`,
    }
    if (access.isFull) {
      const isRead = operation === 'select'
      return {
        ...base,
        isAdmitted: true,
        reason: undefined,
        permissions: [],
        virtualTable: isRead ? everything(table) : undefined,
        write: isRead || isLock ? undefined : unrestricted(use),
      }
    }
    const reason = refusalOf(use, access)
    const isRead = reason === undefined && operation === 'select'
    const isWrite = reason === undefined && operation !== 'select' && !isLock
    return {
      ...base,
      isAdmitted: reason === undefined,
      reason,
      permissions: permissionVerdicts(use, context),
      virtualTable: isRead ? virtualTable(use, context, barriers) : undefined,
      write: isWrite ? writeExplanation(use, context) : undefined,
    }
  }
}

function everything(table: Table): VirtualTableExplanation {
  return {
    columns: table.columns.map(({ name }) => name),
    hidden: [],
    masked: [],
    rows: 'true',
    pushed: [],
    barrier: { isSet: false, reason: 'nothing is hidden from full rights' },
  }
}

function unrestricted({ table, columns }: TableUse): WriteExplanation {
  return { columns: columnNames(table, columns), presets: {}, rows: 'true', check: 'true' }
}

/** Barrier and pushed conditions of a relation, as authorization decided. */
type BarrierOf = (
  relation: RelationId | undefined,
) => Pick<VirtualTableExplanation, 'barrier' | 'pushed'>

function virtualTable(
  { table, relation }: TableUse,
  { access }: VerdictContext,
  barrierOf: BarrierOf,
): VirtualTableExplanation {
  const { types } = access.connection
  const { rows, readable, cells } = readRules(access, table)
  const ordinals = table.columns.map(({ ordinal }) => ordinal)
  return {
    columns: columnNames(table, readable),
    hidden: columnNames(
      table,
      ordinals.filter((ordinal) => !readable.has(ordinal)),
    ),
    masked: [...cells].map(([column, cell]) => ({
      column: table.columns[column]?.name ?? '',
      visibleWhen: conditionText(cell, table, types),
    })),
    rows: conditionText(rows, table, types),
    ...barrierOf(relation),
  }
}

function barriersOf({ bound, authorized, hidesConstants }: StatementFacts): BarrierOf {
  if (bound === undefined || authorized === undefined) {
    return () => ({ barrier: undefined, pushed: [] })
  }
  const { types } = bound.connection
  const tables = securedTables(authorized)
  const leaks = findLeaks(bound)
  const leaky = leakyOperations(bound, types)
  return (relation) => {
    const item = relation === undefined ? undefined : tables.get(relation)
    if (item === undefined) return { barrier: undefined, pushed: [] }
    const rows = new Map([
      [item.base, item.table],
      [item.id, item.table],
    ])
    return {
      barrier: { isSet: item.barrier, reason: barrierText(item, leaks, leaky) },
      pushed: item.pushed.map((conjunct) =>
        describeExpression(conjunct, { types, rows, hidesConstants }),
      ),
    }
  }
}

function securedTables(statement: BoundStatement): ReadonlyMap<RelationId, SecuredTable> {
  const found = new Map<RelationId, SecuredTable>()
  visitStatement(statement, {
    fromItem: (item) => {
      if (item.kind === 'securedTable') found.set(item.id, item)
    },
    write: ({ security }) => {
      if (security?.rows !== undefined) found.set(security.rows.id, security.rows)
    },
  })
  return found
}

/** Names of leaky operations, as the statement writes them. */
function leakyOperations(statement: BoundStatement, types: TypeSystem): readonly string[] {
  const names = new Set<string>()
  visitStatement(statement, {
    expression: (part) => {
      if (!isLeakyOperation(part, types)) return
      if ('operator' in part && typeof part.operator === 'object') names.add(part.operator.name)
      else if ('function' in part && typeof part.function === 'object') {
        names.add(`${part.function.name}()`)
      } else if (part.kind === 'cast') {
        names.add(`cast to ${types.formatType(part.type.oid, part.type.typmod)}`)
      } else names.add(part.kind)
    },
  })
  return [...names]
}

function barrierText(item: SecuredTable, leaks: Leaks, leaky: readonly string[]): string {
  const operations = leaky.join(', ')
  if (item.filter === undefined) return 'no row is hidden'
  switch (barrierReason(item, leaks)) {
    case 'condition':
      return `a condition on it has something that can fail or tell (${operations}): hidden rows must be gone before it is evaluated`
    case 'join':
      return `something that can fail or tell (${operations}) could meet its rows in a join with other tables: hidden rows must be gone before anything is joined`
    case undefined:
      return leaky.length === 0
        ? 'nothing in the statement can fail or tell something about a hidden row'
        : `what can fail or tell (${operations}) is evaluated on visible rows only`
  }
}

function writeExplanation(
  { table, operation, columns }: TableUse,
  { access }: VerdictContext,
): WriteExplanation {
  const { types } = access.connection
  const written = columnNames(table, columns)
  if (operation === 'delete') {
    const rows = conditionText(deleteRows(access, table), table, types)
    return { columns: written, presets: {}, rows, check: 'true' }
  }
  const rules = writeRules(access, table, operation === 'insert' ? 'insert' : 'update', columns)
  const [oldRow, newRow] = [1, 2]
  let id = newRow
  const nextId = () => {
    id += 1
    return id
  }
  const { check, oldConditions } = checkExpression(rules, { table, oldRow, newRow }, oldRow, nextId)
  const rows = new Map([
    [oldRow, table],
    [newRow, table],
  ])
  return {
    columns: written,
    presets: presetTexts(table, rules.presets, types),
    rows: conditionText(rules.rows, table, types),
    check: check === undefined ? 'true' : describeExpression(check, { types, rows, oldConditions }),
  }
}
