/**
 * @module The queries on `information_schema`. `?` is the database; MySQL returns names in capitals, so all columns have aliases.
 */
import { checkTokens } from '@engine/core/catalog'
import type { Flavor } from '../server/flavor.ts'
import { traitsOf } from '../server/server-traits.ts'

/** A row as the driver reads it, by position. */
type Cells = readonly (string | number | Buffer | null)[]

export interface RelationRow {
  readonly name: string
  readonly kind: 'table' | 'view'
  readonly comment: string | undefined
}

/** Leaves out sequences, temporary tables and the server's own tables. */
export const relationsQuery = `
  select t.table_name, t.table_type, t.table_comment
  from information_schema.tables t
  where t.table_schema = ? and t.table_type in ('BASE TABLE', 'SYSTEM VERSIONED', 'VIEW')`

export function relationRow([name, type, comment]: Cells): RelationRow {
  const isView = type === 'VIEW'
  // The comment of a view is the word VIEW.
  return {
    name: text(name),
    kind: isView ? 'view' : 'table',
    comment: isView ? undefined : present(comment),
  }
}

export interface ColumnRow {
  readonly table: string
  readonly name: string
  readonly dataType: string
  /** `int(10) unsigned` */
  readonly columnType: string
  /** The values of an ENUM or a SET. */
  readonly members: readonly string[] | undefined
  readonly isNullable: boolean
  /** Characters, or bytes of binary types. */
  readonly length: number | undefined
  readonly precision: number | undefined
  readonly scale: number | undefined
  readonly fractionDigits: number | undefined
  readonly charset: string | undefined
  readonly collation: string | undefined
  /** As the server reports it; see `defaultExpression`. */
  readonly default: string | undefined
  /** `auto_increment`, `STORED GENERATED`, `DEFAULT_GENERATED` ... */
  readonly extra: string
  readonly comment: string | undefined
}

export const columnsQuery = `
  select c.table_name, c.column_name, c.data_type, c.column_type, c.is_nullable,
    c.character_maximum_length, c.numeric_precision, c.numeric_scale, c.datetime_precision,
    c.character_set_name, c.collation_name, c.column_default, c.extra, c.column_comment
  from information_schema.columns c
  where c.table_schema = ?
  order by c.table_name, c.ordinal_position`

export function columnRow(cells: Cells): ColumnRow {
  const [table, name, dataType, columnType, isNullable, length, precision] = cells
  const [scale, fractionDigits, charset, collation, defaultText, extra, comment] = cells.slice(7)
  return {
    table: text(table),
    name: text(name),
    dataType: text(dataType).toLowerCase(),
    columnType: text(columnType).toLowerCase(),
    members: membersOf(text(columnType)),
    isNullable: isNullable === 'YES',
    length: number(length),
    precision: number(precision),
    scale: number(scale),
    fractionDigits: number(fractionDigits),
    charset: present(charset),
    collation: present(collation),
    default: defaultText === null || defaultText === undefined ? undefined : text(defaultText),
    extra: text(extra),
    comment: present(comment),
  }
}

/** `enum('a','b')` → `a` and `b` */
function membersOf(columnType: string): readonly string[] | undefined {
  if (!/^(enum|set)\(/i.test(columnType)) return undefined
  return checkTokens(columnType, 'mysql').flatMap(({ kind, text: member }) =>
    kind === 'text' ? [member] : [],
  )
}

export interface KeyColumnRow {
  readonly table: string
  readonly key: string
  readonly column: string | undefined
  /** The number of the column's characters in the index; undefined = all. */
  readonly prefix: number | undefined
}

/** Unique indexes; MySQL has no column name for an indexed expression. */
export const keysQuery = `
  select s.table_name, s.index_name, s.column_name, s.sub_part
  from information_schema.statistics s
  where s.table_schema = ? and s.non_unique = 0
  order by s.table_name, s.index_name <> 'PRIMARY', s.index_name, s.seq_in_index`

export function keyColumnRow([table, key, column, prefix]: Cells): KeyColumnRow {
  return {
    table: text(table),
    key: text(key),
    column: present(column),
    prefix: number(prefix),
  }
}

export interface TriggerRow {
  readonly table: string
  readonly body: string
}

/** Triggers that may change a row before it is stored. The server shows them only to users with the TRIGGER right. */
export const triggersQuery = `
  select t.event_object_table, t.action_statement
  from information_schema.triggers t
  where t.event_object_schema = ? and t.action_timing = 'BEFORE'
    and t.event_manipulation in ('INSERT', 'UPDATE')
  order by t.event_object_table, t.trigger_name`

export function triggerRow([table, body]: Cells): TriggerRow {
  return { table: text(table), body: text(body) }
}

/** Indexes that are not keys: clients see them in the catalog, the adapter does not use them. */
export const plainIndexesQuery = `
  select s.table_name, s.index_name, s.column_name, s.sub_part
  from information_schema.statistics s
  where s.table_schema = ? and s.non_unique = 1 and s.index_type = 'BTREE'
  order by s.table_name, s.index_name, s.seq_in_index`

export interface ForeignKeyRow {
  readonly table: string
  readonly key: string
  readonly column: string
  readonly target: string
  readonly targetColumn: string
  readonly onDelete: ReferentialAction
  readonly onUpdate: ReferentialAction
}

/** RESTRICT and NO ACTION are the same here, and the default. */
type ReferentialAction = 'cascade' | 'set null' | 'set default' | undefined

export const foreignKeysQuery = `
  select k.table_name, k.constraint_name, k.column_name, k.referenced_table_name,
    k.referenced_column_name, r.delete_rule, r.update_rule
  from information_schema.key_column_usage k
  join information_schema.referential_constraints r
    on r.constraint_schema = k.constraint_schema and r.constraint_name = k.constraint_name
      and r.table_name = k.table_name
  where k.table_schema = ? and k.referenced_table_schema = k.table_schema
  order by k.table_name, k.constraint_name, k.ordinal_position`

export function foreignKeyRow(cells: Cells): ForeignKeyRow {
  const [table, key, column, target, targetColumn, deleteRule, updateRule] = cells
  return {
    table: text(table),
    key: text(key),
    column: text(column),
    target: text(target),
    targetColumn: text(targetColumn),
    onDelete: actionOf(text(deleteRule)),
    onUpdate: actionOf(text(updateRule)),
  }
}

function actionOf(rule: string): ReferentialAction {
  const action = rule.toLowerCase()
  return action === 'cascade' || action === 'set null' || action === 'set default'
    ? action
    : undefined
}

export interface CheckRow {
  readonly table: string
  readonly clause: string
}

/** The checks of a database that are not switched off. */
export function checksQuery(flavor: Flavor): string {
  return `
    select c.table_name, c.check_clause
    from ${checksOf(flavor)} c
    where c.constraint_schema = ?
    order by c.table_name, c.constraint_name`
}

/** A FROM item with the columns `constraint_schema`, `table_name`, `constraint_name` and `check_clause`. */
export function checksOf(flavor: Flavor): string {
  if (traitsOf(flavor).checksHaveTables) return 'information_schema.check_constraints'
  return `(select n.constraint_schema, n.table_name, n.constraint_name, e.check_clause
    from information_schema.table_constraints n
    join information_schema.check_constraints e
      on e.constraint_schema = n.constraint_schema and e.constraint_name = n.constraint_name
    where n.constraint_type = 'CHECK' and n.enforced = 'YES')`
}

export function checkRow([table, clause]: Cells, flavor: Flavor): CheckRow {
  return { table: text(table), clause: expressionOf(text(clause), flavor) }
}

/** An expression as it is written in SQL. `_utf8mb4\'a\'`: `_utf8mb4'a'` */
export function expressionOf(shown: string, flavor: Flavor): string {
  return traitsOf(flavor).escapesExpressions ? shown.replaceAll(/\\([\s\S])/g, '$1') : shown
}

type Cell = Cells[number] | undefined

/** Names and expressions are text that some servers return as bytes. */
function text(cell: Cell): string {
  if (cell === null || cell === undefined) return ''
  return typeof cell === 'object' ? cell.toString('utf8') : String(cell)
}

function present(cell: Cell): string | undefined {
  const found = text(cell)
  return found === '' ? undefined : found
}

function number(cell: Cell): number | undefined {
  return cell === null || cell === undefined ? undefined : Number(text(cell))
}
