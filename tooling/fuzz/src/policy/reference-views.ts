/**
 * @module A policy as a database administrator would write it: for one caller a schema of `security_barrier` views whose
 * masked cells are CASEs, and views with INSTEAD OF triggers for what is written.
 */
import type { Caller, Permission } from '@engine/core'
import { quoted } from '../grammar/literals.ts'
import type { World, WorldColumn, WorldTable } from '../world/world.ts'
import { filterSql } from './filter-sql.ts'
import { columnsOf, permissionsOf, readableColumns } from './grants.ts'
import type { Policy } from './random-policy.ts'

export interface ReferenceOptions {
  readonly world: World
  readonly policy: Policy
  readonly caller: Caller
  /** Schema of the views, one for each caller. */
  readonly schema: string
  /** Whose statements they are for: it can reach nothing else. */
  readonly role: string
}

/** Statements that make the views of one caller over the tables of schema `main`. */
export function referenceViews({ world, policy, caller, schema, role }: ReferenceOptions): string {
  const parts = world.tables.flatMap((table) => {
    const permissions = permissionsOf(policy, caller, table.name)
    const where = (filter: unknown) =>
      filterSql(filter, {
        world,
        table,
        row: 'b',
        outer: undefined,
        fields: caller.fields,
        schema: 'main',
      })
    const context: TableContext = {
      table,
      permissions,
      where,
      schema,
      caller,
      readable: readableColumns(policy, caller, table),
    }
    return [...readView(context), ...writeViews(context)]
  })
  return [
    `drop schema if exists ${schema} cascade; create schema ${schema};`,
    `create table ${schema}.touched (tbl text, id int4, flags bool[]);`,
    ...parts,
    `grant usage on schema ${schema} to ${role};`,
    `grant all on all tables in schema ${schema} to ${role};`,
    `revoke all on ${schema}.touched from ${role};`,
  ].join('\n')
}

interface TableContext {
  readonly table: WorldTable
  readonly permissions: readonly Permission[]
  readonly where: (filter: unknown) => string
  readonly schema: string
  readonly caller: Caller
  readonly readable: readonly string[]
}

function readView(context: TableContext): readonly string[] {
  const { table, schema, readable } = context
  if (!context.permissions.some(({ select }) => select !== undefined)) return []
  const cells = table.columns
    .filter(({ name }) => readable.includes(name))
    .map((column) => `${cell(context, column)} as ${column.name}`)
  return [
    `create view ${schema}.${table.name} with (security_barrier) as select ${cells.join(', ')} from main.${table.name} b where ${visible(context)};`,
  ]
}

/** Rows of any permission, narrowed by every restriction. */
function visible({ permissions, where }: TableContext): string {
  const rows = permissions.flatMap(({ select }) =>
    select === undefined ? [] : [where(select.where)],
  )
  return [anyOf(rows), ...restrictions({ permissions, where })].join(' and ')
}

function restrictions({
  permissions,
  where,
}: Pick<TableContext, 'permissions' | 'where'>): readonly string[] {
  return permissions.flatMap(({ restrict }) => (restrict === undefined ? [] : [where(restrict)]))
}

function cell({ permissions, where, table, readable }: TableContext, column: WorldColumn): string {
  if (!readable.includes(column.name)) return `null::${column.stored}`
  const granting = permissions.flatMap(({ select }) =>
    select !== undefined && columnsOf(select.columns, table).includes(column.name)
      ? [where(select.where)]
      : [],
  )
  return `case when ${anyOf(granting)} then b.${column.name} end`
}

function anyOf(conditions: readonly string[]): string {
  return conditions.length === 0 ? 'false' : `(${conditions.join(' or ')})`
}

/** `s_t`: what is seen of stored rows; `w_t`: what is written, its rows those that the operation may touch. */
function writeViews(context: TableContext): readonly string[] {
  const { table, schema, permissions, where } = context
  const cells = [
    ...table.columns.map((column) => `${cell(context, column)} as ${column.name}`),
    'b.id as raw_id',
  ].join(', ')
  const setting = (name: string) => `current_setting('fuzz.${table.name}${name}')`
  const covering = (i: number) => `position(',${i},' in ${setting('_by')}) > 0`
  const covered = (conditions: readonly string[]) =>
    anyOf(conditions.map((condition, i) => `(${covering(i)} and ${condition})`))
  const updates = covered(
    permissions.map(({ update }) => (update === undefined ? 'false' : where(update.where))),
  )
  const deletes = covered(
    permissions.map((permission) =>
      permission.delete === undefined ? 'false' : where(permission.delete.where),
    ),
  )
  const s = `${schema}.s_${table.name}`
  const w = `${schema}.w_${table.name}`
  return [
    `create view ${s} with (security_barrier) as select ${cells} from main.${table.name} b where ${visible(context)};`,
    `create view ${w} with (security_barrier) as select ${cells} from main.${table.name} b where ${visible(context)}
      and case ${setting('')} when 'update' then ${updates} when 'delete' then ${deletes} else false end;`,
    ...table.columns.flatMap((column) =>
      column.default === undefined
        ? []
        : [
            `alter view ${w} alter column ${column.name} set default ${quoted(column.default)}::${column.stored};`,
          ],
    ),
    flagView(context),
    badRows(context, covering),
    ...triggers(context, s, w),
  ]
}

/** `f_t`: which permission lets which visible row be changed or deleted, or would let it be stored. */
function flagView({ table, schema, permissions, where, ...context }: TableContext): string {
  const flags = permissions.flatMap(({ insert, update, delete: remove }) => [
    insert === undefined ? 'false' : where(insert.check),
    update === undefined ? 'false' : where(update.where),
    update === undefined ? 'false' : where(update.check ?? update.where),
    remove === undefined ? 'false' : where(remove.where),
  ])
  const rows = visible({ table, schema, permissions, where, ...context })
  return `create view ${schema}.f_${table.name} as select b.id, array[${flags.join(', ')}]::bool[] as flags from main.${table.name} b where ${rows};`
}

/** Rows that were stored and satisfy no permission that covers the write. */
function badRows(context: TableContext, covering: (i: number) => string): string {
  const { table, schema, permissions, where } = context
  const checks = permissions.map((permission, i) => {
    const update =
      permission.update === undefined
        ? 'false'
        : where(permission.update.check ?? permission.update.where)
    const insert = permission.insert === undefined ? 'false' : where(permission.insert.check)
    return `(${covering(i)} and x.flags[${i + 1}] and case current_setting('fuzz.${table.name}') when 'insert' then ${insert} else ${update} end)`
  })
  const good = [anyOf(checks), ...restrictions(context)].join(' and ')
  return `create view ${schema}.bad_${table.name} as select x.id from ${schema}.touched x join main.${table.name} b on b.id = x.id
    where x.tbl = '${table.name}' and (${good}) is not true;`
}

function triggers(
  { table, schema, permissions, where, caller }: TableContext,
  s: string,
  w: string,
): readonly string[] {
  const { name, columns } = table
  const isSet = (column: string) =>
    `position(',${column},' in current_setting('fuzz.${name}_set')) > 0`
  const preset = (operation: 'insert' | 'update', column: WorldColumn): string | undefined => {
    const value = permissions
      .map((permission) => permission[operation]?.preset?.[column.name])
      .find((each) => each !== undefined)
    if (value === undefined) return undefined
    const field =
      typeof value === 'string' && value.startsWith('$user.')
        ? caller.fields[value.slice(6)]
        : value
    return `case when position(',${column.name},' in current_setting('fuzz.${name}_preset')) > 0 then ${quoted(String(field))}::${column.stored}`
  }
  const inserted = columns.map((column) => {
    const fixed = preset('insert', column)
    return fixed === undefined ? `new.${column.name}` : `${fixed} else new.${column.name} end`
  })
  const updated = columns.map((column) => {
    const own = `case when ${isSet(column.name)} then new.${column.name} else b.${column.name} end`
    const fixed = preset('update', column)
    return `${column.name} = ${fixed === undefined ? own : `${fixed} else ${own} end`}`
  })
  const flags = permissions.map(({ update }) =>
    update === undefined ? 'false' : where(update.where),
  )
  const stored = `if not found then return null; end if; return new;`
  const body = (text: string) =>
    `returns trigger language plpgsql security definer as $f$ ${text} $f$;`
  return [
    `create function ${schema}.insert_${name}() ${body(`declare stored_id int4; begin
      insert into main.${name} (${columns.map((column) => column.name).join(', ')}) values (${inserted.join(', ')}) returning id into stored_id;
      insert into ${schema}.touched values ('${name}', stored_id, array[${permissions.map(() => 'true').join(', ')}]::bool[]);
      select * into new from ${s} where raw_id = stored_id; ${stored} end`)}`,
    `create function ${schema}.update_${name}() ${body(`declare stored_id int4; was bool[]; begin
      select array[${flags.join(', ')}]::bool[] into was from main.${name} b where b.id = old.raw_id;
      update main.${name} b set ${updated.join(', ')} where b.id = old.raw_id returning b.id into stored_id;
      insert into ${schema}.touched values ('${name}', stored_id, was);
      select * into new from ${s} where raw_id = stored_id; ${stored} end`)}`,
    `create function ${schema}.delete_${name}() ${body(`begin delete from main.${name} where id = old.raw_id; return old; end`)}`,
    ...(['insert', 'update', 'delete'] as const).map(
      (operation) =>
        `create trigger ${operation}_rows instead of ${operation} on ${w} for each row execute function ${schema}.${operation}_${name}();`,
    ),
  ]
}
