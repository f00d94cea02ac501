/**
 * @module UPDATE and DELETE that read through a caller's view of the table, for example
 * `update orders set note = upper(note)` →
 * `update orders as t2 set note = s2.v1 from (select t1.k1, upper(t1.c3) as v1 from (…) as t1) as s2 where …`.
 * The rows, their new values and the policies' conditions are computed in a derived table that is joined back by key. It
 * locks the rows, so that a row that another transaction just changed is filtered and computed again.
 */

import type { Table } from '@engine/core/catalog'
import {
  clauses,
  commaList,
  deferred,
  joinSql,
  keyword,
  relationName,
  type Sql,
  sql,
} from '@engine/core/print'
import {
  type Assignment,
  type DeleteWrite,
  type FromItem,
  type RelationId,
  type SecuredTable,
  type UpdateWrite,
  unsupportedConstruct,
  type WriteSecurity,
} from '@engine/core/tree'
import { assignedTarget } from './assigned-target.ts'
import { equalityOf } from './equality.ts'
import { type PrintContext, relationOf } from './print-context.ts'
import { printFromList } from './print-from.ts'
import { printDerivedTable, type RawExport } from './print-secured-table.ts'
import { tableColumnName, tableColumns, tableName } from './relation-columns.ts'
import { type ReturningList, returningClause } from './returning.ts'

type KeyedSecurity = WriteSecurity & { readonly rows: SecuredTable }

/** A column of the derived table. */
interface Export {
  readonly name: Sql
  readonly value: Sql
}

export function printKeyedWrite(
  write: UpdateWrite | DeleteWrite,
  security: KeyedSecurity,
  returning: ReturningList,
  context: PrintContext,
): Sql {
  const { table, newRow } = write.target
  const target = relationName(newRow)
  const source = keyword(`s${newRow}`)
  const key = keyOf(table, context)
  const others = write.kind === 'update' ? write.from : write.using

  const rows = printLockedRows(security, key, context)
  const rowAlias = relationName(security.rows.id)
  const from = others.length === 0 ? undefined : printFromList(others, context)
  const where = write.where && context.printExpression(write.where, context)
  const values = write.kind === 'update' ? newValues(table, write.assignments, context) : []
  const exports: Export[] = [
    ...key.map((_, index) => forwarded(keyword(`k${index + 1}`), rowAlias)),
    ...security.oldConditions.map((_, index) => forwarded(keyword(`o${index + 1}`), rowAlias)),
    ...values.flatMap(({ computed }) => computed ?? []),
  ]
  const inner = clauses(
    deferred(() => sql`select ${commaList(exports.map(asColumn))}`),
    sql`from ${from === undefined ? rows : commaList([rows, from])}`,
    where && sql`where ${where}`,
  )

  exportRelations([security.rows.id, ...others.flatMap(relationsOf)], source, exports, context)
  context.relations.set(newRow, tableColumns(table, target))
  context.oldConditions = security.oldConditions.map(
    (_, index) => sql`${source}.${keyword(`o${index + 1}`)}`,
  )
  const sameRow = key.map(
    ({ of, equal }, index) => sql`(${of(target)} ${equal} ${source}.${keyword(`k${index + 1}`)})`,
  )
  const { filter } = security.rows
  // Applies however the row was found: a row that the caller may not write is not written.
  context.relations.set(security.rows.base, tableColumns(table, target))
  const permitted = filter === undefined ? [] : [context.printExpression(filter, context)]
  const head =
    write.kind === 'update'
      ? clauses(
          sql`update ${tableName(table)} as ${target}`,
          sql`set ${commaList(values.map((each) => assign(each, source)))}`,
          sql`from (${inner}) as ${source}`,
        )
      : sql`delete from ${tableName(table)} as ${target} using (${inner}) as ${source}`
  return clauses(
    head,
    sql`where ${joinSql([...sameRow, ...permitted], ' and ')}`,
    returningClause(returning(context)),
  )
}

/** Identifies a row: a column of the table, or a system column. */
interface KeyPart {
  /** Under the name of the table. */
  readonly of: (alias: Sql) => Sql
  readonly equal: Sql
}

/**
 * The columns of a proven key (`Table.rowKeys`). Without one, the location of the row: the rows are locked, so their
 * location does not change. Rows of views have no location.
 */
function keyOf(table: Table, context: PrintContext): readonly KeyPart[] {
  const [key] = table.rowKeys ?? []
  if (key === undefined && table.kind === 'view') {
    const view = `"${table.connection}"."${table.name}"`
    const construct = `a restricted UPDATE or DELETE of the view ${view}, which does not show a key of its table,`
    throw unsupportedConstruct(construct, 'PostgreSQL', undefined)
  }
  if (key === undefined) return placeOfRow
  return key.map((column) => ({
    of: (alias) => sql`${alias}.${tableColumnName(table, column)}`,
    equal: equalityOf(context.types, table, column),
  }))
}

/** The child table or partition that contains the row, and the location in it. */
const placeOfRow: readonly KeyPart[] = [
  { of: (alias) => sql`${alias}.tableoid`, equal: keyword('=') },
  { of: (alias) => sql`${alias}.ctid`, equal: keyword('=') },
]

function printLockedRows(
  security: KeyedSecurity,
  key: readonly KeyPart[],
  context: PrintContext,
): Sql {
  const { rows } = security
  const base = relationName(rows.base)
  const raw = (inner: PrintContext): readonly RawExport[] => [
    ...key.map(({ of }, index) => ({ name: keyword(`k${index + 1}`), value: of(base) })),
    ...security.oldConditions.map((condition, index) => ({
      name: keyword(`o${index + 1}`),
      value: inner.printExpression(condition, inner),
    })),
  ]
  return printDerivedTable(rows, context, { raw, locks: true })
}

interface NewValue {
  readonly target: Sql
  /** Undefined: the column's default. */
  readonly computed: Export | undefined
}

function newValues(
  table: Table,
  assignments: readonly Assignment[],
  context: PrintContext,
): readonly NewValue[] {
  return assignments.map((assignment, index) => ({
    target: assignedTarget(table, assignment, context),
    computed:
      assignment.value.kind === 'default'
        ? undefined
        : {
            name: keyword(`v${index + 1}`),
            value: context.printExpression(assignment.value, context),
          },
  }))
}

function assign({ target, computed }: NewValue, source: Sql): Sql {
  const value = computed === undefined ? keyword('default') : sql`${source}.${computed.name}`
  return sql`${target} = ${value}`
}

function forwarded(name: Sql, relation: Sql): Export {
  return { name, value: sql`${relation}.${name}` }
}

function asColumn({ name, value }: Export): Sql {
  return sql`${value} as ${name}`
}

/** Columns of inner relations that RETURNING uses leave the derived table as `e1`, `e2` ... */
function exportRelations(
  relations: readonly RelationId[],
  source: Sql,
  exports: Export[],
  context: PrintContext,
): void {
  let count = 0
  for (const relation of relations) {
    const inside = relationOf(relation, context)
    const known = new Map<number | 'isPresent', Sql>()
    const exported = (part: number | 'isPresent', value: () => Sql): Sql => {
      const found = known.get(part)
      if (found !== undefined) return found
      count += 1
      const name = keyword(`e${count}`)
      exports.push({ name, value: value() })
      const outside = sql`${source}.${name}`
      known.set(part, outside)
      return outside
    }
    context.relations.set(relation, {
      column: (index) => exported(index, () => inside.column(index)),
      isPresent: () => exported('isPresent', () => inside.isPresent()),
    })
  }
}

function relationsOf(item: FromItem): readonly RelationId[] {
  return item.kind === 'join' ? [...relationsOf(item.left), ...relationsOf(item.right)] : [item.id]
}
