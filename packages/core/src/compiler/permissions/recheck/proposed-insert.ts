import type {
  Assignment,
  DefaultCell,
  InsertWrite,
  OnConflict,
  OutputColumn,
  Query,
  RelationId,
  SelectQuery,
  SubqueryItem,
} from '../../bind/tree/bound-query.ts'
import type { Expression } from '../../bind/tree/expression.ts'
import { rowsOf } from '../../bind/tree/rows-of.ts'
import type { SecuredTable } from '../../bind/tree/secured-table.ts'
import { operatorCall } from '../../bind/tree/typed-call.ts'
import { oids } from '../../sql-types/oids.ts'
import { booleanConstant, combine, unrestrictedTable } from '../filter/filter-expression.ts'
import { knownDefault } from './known-default.ts'
import {
  type CellOf,
  conditionOn,
  failingRows,
  isComputed,
  type ProposalContext,
  unknowable,
  withCells,
} from './proposed-row.ts'
import { sameInIndex } from './same-in-index.ts'

/** Rows that an INSERT proposes: rows in which the database computes the same cells. */
interface Proposal {
  /** Undefined for the single row of defaults only. */
  readonly item: SubqueryItem | undefined
  readonly cellOf: (column: number) => Expression | typeof unknowable
}

/** The rows of an INSERT that fail its check, in one query or several; none without a check. */
export function proposedInserts(
  write: InsertWrite,
  context: ProposalContext,
): readonly SelectQuery[] {
  const { security, target, onConflict } = write
  const check = security?.check
  if (check === undefined) return []
  return proposalsOf(write, context).flatMap((proposal) => {
    const from = proposal.item === undefined ? [] : [proposal.item]
    const newCell: CellOf = ({ relation, column }) =>
      relation === target.newRow ? proposal.cellOf(column) : undefined
    const isNew = onConflict && notThere(write, onConflict, proposal, context)
    const isStored = conditionOn(check, newCell, context, () => booleanConstant(true))
    const inserted = failingRows(from, isNew, isStored)
    const updated = onConflict && updateArm(write, onConflict, proposal, check, context)
    return updated === undefined ? [inserted] : [inserted, updated]
  })
}

/** The rows of an INSERT with ON CONFLICT that fail the check on proposed rows, whether or not they would be stored. */
export function refusedProposals(
  write: InsertWrite,
  context: ProposalContext,
): readonly SelectQuery[] {
  const condition = write.security?.proposed
  if (condition === undefined) return []
  return proposalsOf(write, context).map(({ item, cellOf }) => {
    const newCell: CellOf = ({ relation, column }) =>
      relation === write.target.newRow ? cellOf(column) : undefined
    const isAllowed = conditionOn(condition, newCell, context)
    return failingRows(item === undefined ? [] : [item], undefined, isAllowed)
  })
}

function proposalsOf(write: InsertWrite, context: ProposalContext): readonly Proposal[] {
  const { source } = write
  switch (source.kind) {
    case 'defaults':
      return [proposal(write, undefined, new Set(), context)]
    case 'query':
      return [proposal(write, derived(source.query, context), new Set(), context)]
    case 'values':
    case 'repeated':
      return valuesProposals(write, rowsOf(source), context)
  }
}

/** Groups rows with the same unknowable cells. */
function valuesProposals(
  write: InsertWrite,
  rows: readonly (readonly (Expression | DefaultCell)[])[],
  context: ProposalContext,
): readonly Proposal[] {
  const columns = write.columns.map((ordinal) => write.target.table.columns[ordinal])
  const defaults = columns.map((column) => column && knownDefault(column, context.types))
  const output: readonly OutputColumn[] = columns.map((column, i) => ({
    name: column?.name ?? '?column?',
    type: typeOfPart(write, rows, i) ?? column?.type ?? { oid: oids.text, typmod: -1 },
  }))
  const groups = new Map<string, { readonly unknown: Set<number>; readonly rows: Expression[][] }>()
  for (const row of rows) {
    const unknown = new Set<number>()
    const cells = row.map((cell, i): Expression => {
      if (cell.kind !== 'default') return cell
      const type = output[i]?.type ?? { oid: oids.text, typmod: -1 }
      const value = defaults[i]
      if (value === undefined) unknown.add(i)
      return value ?? { kind: 'constant', value: null, type }
    })
    const key = [...unknown].join()
    const group = groups.get(key) ?? { unknown, rows: [] }
    groups.set(key, group)
    group.rows.push(cells)
  }
  return [...groups.values()].map((group) => {
    const query: Query = {
      kind: 'values',
      ctes: [],
      columns: output,
      rows: group.rows,
      orderBy: [],
      limit: undefined,
      offset: undefined,
    }
    return proposal(write, derived(query, context), group.unknown, context)
  })
}

/** A part of a column has another type than the column. */
function typeOfPart(
  { parts }: InsertWrite,
  rows: readonly (readonly (Expression | DefaultCell)[])[],
  index: number,
): OutputColumn['type'] | undefined {
  const cell = parts?.[index] === undefined ? undefined : rows[0]?.[index]
  return cell === undefined || cell.kind === 'default' ? undefined : cell.type
}

function derived(query: Query, { nextId }: ProposalContext): SubqueryItem {
  return { kind: 'subquery', id: nextId(), query, lateral: false }
}

/** @param unknown indexes of written columns whose cells the database computes in these rows. */
function proposal(
  { columns, parts, target, overriding }: InsertWrite,
  item: SubqueryItem | undefined,
  unknown: ReadonlySet<number>,
  { types }: ProposalContext,
): Proposal {
  const cellOf = (ordinal: number): Expression | typeof unknowable => {
    const column = target.table.columns[ordinal]
    const index = columns.indexOf(ordinal)
    if (column === undefined || isComputed(target.table, ordinal)) return unknowable
    if (index < 0) return knownDefault(column, types) ?? unknowable
    if (parts?.[index] !== undefined) return unknowable
    // Also that of an identity BY DEFAULT, which the catalog knows as a default.
    const isReplaced = overriding === 'user' && column.hasDefault
    const type = item?.query.columns[index]?.type
    if (item === undefined || type === undefined || isReplaced || unknown.has(index)) {
      return unknowable
    }
    return { kind: 'column', relation: item.id, column: index, type }
  }
  return { item, cellOf }
}

/** The condition that no row has one of the keys of the conflict target. */
function notThere(
  { target: { table } }: InsertWrite,
  { target }: OnConflict,
  { cellOf }: Proposal,
  context: ProposalContext,
): Expression {
  const keys = target === undefined ? [table.primaryKey, ...table.uniqueKeys] : [keyColumns(target)]
  const boolean = { oid: oids.bool, typmod: -1 }
  const found = keys
    .filter((key) => key.length > 0)
    .flatMap((key): readonly Expression[] => {
      const item = unrestrictedTable(table, context.nextId)
      const same = sameKey(key, item.id, table, cellOf, context)
      if (same === undefined) return []
      const query = { ...failingRows([item], undefined, same), where: same }
      return [{ kind: 'exists', query, type: boolean }]
    })
  return { kind: 'not', operand: combine('or', found), type: boolean }
}

/** None for an index of expressions or of some rows. */
function keyColumns(target: OnConflict['target']): readonly number[] {
  return target?.index === undefined ? (target?.columns ?? []) : []
}

/** Undefined when the database generates the key. */
function sameKey(
  key: readonly number[],
  relation: RelationId,
  { columns }: SecuredTable['table'],
  cellOf: Proposal['cellOf'],
  { types, missUnknowable }: ProposalContext,
): Expression | undefined {
  const parts: Expression[] = []
  for (const column of key) {
    const type = columns[column]?.type
    const cell = cellOf(column)
    if (type === undefined || cell === unknowable) return undefined
    const same = operatorCall(types, '=', { kind: 'column', relation, column, type }, cell)
    if ('error' in same) {
      missUnknowable()
      return undefined
    }
    parts.push(same)
  }
  return combine('and', parts)
}

/** The rows that DO UPDATE would write. */
function updateArm(
  { target, security }: InsertWrite,
  onConflict: OnConflict,
  { item, cellOf }: Proposal,
  check: Expression,
  context: ProposalContext,
): SelectQuery | undefined {
  const { action } = onConflict
  if (action.kind !== 'update') return undefined
  const { table } = target
  const existing = existingRows(table, security?.existing, target.oldRow, context)
  const same =
    onConflict.target?.index === undefined
      ? sameKey(keyColumns(onConflict.target), existing.id, table, cellOf, context)
      : sameInIndex(onConflict.target.index, existing.id, cellOf, context)
  if (same === undefined) return undefined
  const oldCell: CellOf = (cell) => {
    if (cell.relation === target.oldRow) return { ...cell, relation: existing.id }
    return cell.relation === action.excluded ? cellOf(cell.column) : undefined
  }
  const assigned = new Map(action.assignments.map(({ column, value }) => [column, value]))
  const inParts = new Set(
    action.assignments.flatMap(({ column, part }) => (part === undefined ? [] : [column])),
  )
  const newCell: CellOf = (cell) => {
    if (cell.relation !== target.newRow) return oldCell(cell)
    const column = table.columns[cell.column]
    if (column === undefined || isComputed(table, cell.column)) return unknowable
    if (inParts.has(cell.column)) return unknowable
    const value = assigned.get(cell.column)
    if (value === undefined) return { ...cell, relation: existing.id }
    return assignedCell(value, oldCell, context, () => knownDefault(column, context.types))
  }
  const asked = action.where && conditionOn(action.where, oldCell, context)
  const from = item === undefined ? [existing] : [item, existing]
  const oldCondition = (index: number) => {
    const condition = security?.oldConditions[index]
    return condition && withCells(condition, oldCell, context)
  }
  const query = failingRows(from, asked, conditionOn(check, newCell, context, oldCondition))
  // The condition occurs twice: it finds the rows by their key, and it keeps the other conditions from being evaluated on other
  // rows.
  return { ...query, where: combine('and', [same, onlyWhere(same, query.where)]) }
}

function onlyWhere(condition: Expression, then: Expression): Expression {
  const whens = [{ condition, result: then }]
  return { kind: 'case', whens, otherwise: undefined, type: then.type }
}

function assignedCell(
  value: Assignment['value'],
  oldCell: CellOf,
  context: ProposalContext,
  fallback: () => Expression | undefined,
): Expression | typeof unknowable {
  const cell = value.kind === 'default' ? fallback() : withCells(value, oldCell, context)
  return cell ?? unknowable
}

/** The rows that DO UPDATE may change, raw, inside a barrier: the new values are computed for these rows only. */
function existingRows(
  table: SecuredTable['table'],
  condition: Expression | undefined,
  oldRow: RelationId,
  context: ProposalContext,
): SecuredTable {
  const item = unrestrictedTable(table, context.nextId)
  if (condition === undefined) return item
  const onBase: CellOf = (cell) =>
    cell.relation === oldRow ? { ...cell, relation: item.base } : undefined
  return { ...item, filter: withCells(condition, onBase, context), barrier: true }
}
