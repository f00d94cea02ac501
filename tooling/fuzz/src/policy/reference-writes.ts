/**
 * @module Writes of a caller: views with INSTEAD OF triggers. Facts about the statement that a trigger cannot see (its
 * columns, its conflict action) are in settings `fuzz.<table>...`.
 */
import { quoted } from '../grammar/literals.ts'
import { identityOf } from '../world/random-world.ts'
import { ownColumns, type WorldColumn } from '../world/world.ts'
import { anyOf, cell, restrictions, type TableContext, visible } from './reference-table.ts'

/**
 * `s_t`: readable stored rows; `u_t`: those that may be updated; `w_t`: the target of writes; `f_t`: the allowed
 * operations for each row; `bad_t`: rows that were stored against the policy.
 */
export function writeViews(context: TableContext): readonly string[] {
  const { table, schema, permissions, where } = context
  const { name } = table
  const cells = [
    ...table.columns.map((column) => `${cell(context, column)} as ${column.name}`),
    `b.${identityOf(table)} as raw_id`,
  ].join(', ')
  const setting = (suffix: string) => `current_setting('fuzz.${name}${suffix}')`
  const updates = covered(
    setting('_updateby'),
    permissions.map(({ update }) => (update === undefined ? 'false' : where(update.where))),
  )
  const deletes = covered(
    setting('_by'),
    permissions.map((permission) =>
      permission.delete === undefined ? 'false' : where(permission.delete.where),
    ),
  )
  const view = (prefix: string, condition: string) =>
    `create view ${schema}.${prefix}_${name} with (security_barrier) as select ${cells} from main.${name} b where ${visible(context)} and ${condition};`
  return [
    view('s', 'true'),
    view('u', updates),
    view(
      'w',
      `case ${setting('')} when 'update' then ${updates} when 'delete' then ${deletes} else false end`,
    ),
    ...table.columns.flatMap((column) =>
      column.default === undefined
        ? []
        : [
            `alter view ${schema}.w_${name} alter column ${column.name} set default ${quoted(column.default)}::${column.stored};`,
          ],
    ),
    flagView(context),
    badRows(context, setting),
    insertTrigger(context, setting),
    updateTrigger(context, setting),
    `create function ${schema}.delete_${name}() ${body(`begin
      delete from main.${name} where id = old.raw_id; return old; end`)}`,
    ...(['insert', 'update', 'delete'] as const).map(
      (operation) =>
        `create trigger ${operation}_rows instead of ${operation} on ${schema}.w_${name} for each row execute function ${schema}.${operation}_${name}();`,
    ),
  ]
}

type Setting = (suffix: string) => string

const body = (text: string): string =>
  `returns trigger language plpgsql security definer as $f$ ${text} $f$;`

/** One of the conditions whose permissions a setting names. */
function covered(by: string, conditions: readonly string[]): string {
  return anyOf(
    conditions.map((condition, i) => `(position(',${i},' in ${by}) > 0 and ${condition})`),
  )
}

function flagView(context: TableContext): string {
  const { table, schema, permissions, where } = context
  const flags = permissions.flatMap(({ insert, update, delete: remove }) => [
    insert === undefined ? 'false' : where(insert.check),
    update === undefined ? 'false' : where(update.where),
    update === undefined ? 'false' : where(update.check ?? update.where),
    remove === undefined ? 'false' : where(remove.where),
  ])
  return `create view ${schema}.f_${table.name} as select b.${identityOf(table)} as id, array[${flags.join(', ')}]::bool[] as flags from main.${table.name} b where ${visible(context)};`
}

/** An upsert's rows must satisfy the checks of INSERT and of UPDATE. */
function badRows(context: TableContext, setting: Setting): string {
  const { table, schema, permissions, where } = context
  const inserts = covered(
    setting('_by'),
    permissions.map(({ insert }) => (insert === undefined ? 'false' : where(insert.check))),
  )
  const updates = covered(
    setting('_updateby'),
    permissions.map(({ update }, i) =>
      update === undefined
        ? 'false'
        : `x.flags[${i + 1}] and ${where(update.check ?? update.where)}`,
    ),
  )
  const isInsert = `${setting('')} = 'insert'`
  const good = [
    `(case when ${isInsert} then ${inserts} else true end)`,
    `(case when ${isInsert} and ${setting('_conflict')} not like 'update%' then true else ${updates} end)`,
    ...restrictions(context),
  ].join(' and ')
  return `create view ${schema}.bad_${table.name} as select x.id from ${schema}.touched x join main.${table.name} b on b.id = x.id
    where x.tbl = '${table.name}' and (${good}) is not true;`
}

/** `case when the permission sets the column then its value`, without an end; undefined where no permission does. */
function presetCase(
  { permissions, caller }: TableContext,
  operation: 'insert' | 'update',
  column: WorldColumn,
  presets: string,
): string | undefined {
  const value = permissions
    .map((permission) => permission[operation]?.preset?.[column.name])
    .find((each) => each !== undefined)
  if (value === undefined) return undefined
  const field =
    typeof value === 'string' && value.startsWith('$user.') ? caller.fields[value.slice(6)] : value
  return `case when position(',${column.name},' in ${presets}) > 0 then ${quoted(String(field))}::${column.stored}`
}

/** Flags of the permissions to update the row `b`, in its current state. */
function updateFlags({ permissions, where }: TableContext): string {
  const flags = permissions.map(({ update }) =>
    update === undefined ? 'false' : where(update.where),
  )
  return `array[${flags.join(', ')}]::bool[]`
}

function insertTrigger(context: TableContext, setting: Setting): string {
  const { table, schema, permissions } = context
  const { name, columns, unique } = table
  const own = ownColumns(table)
  const fixed = columns.flatMap((column) => {
    const preset = presetCase(context, 'insert', column, setting('_preset'))
    return preset === undefined
      ? []
      : [`proposed.${column.name} := ${preset} else proposed.${column.name} end;`]
  })
  const keys = ['id', ...(unique === undefined ? [] : [unique])]
  const met = (key: string) => `b.${key} = proposed.${key}`
  const cases = keys.map(
    (key) => `when '${key}' then (select b.id from main.${name} b where ${met(key)})`,
  )
  const updatePresets = columns.flatMap((column) => {
    const preset = presetCase(context, 'update', column, setting('_updatepreset'))
    return preset === undefined ? [] : [`${column.name} = ${preset} else b.${column.name} end`]
  })
  const presetText = updatePresets.map((each) => `, ${each}`).join('')
  const rows = `(select ($1).*) as ' || ${setting('_conflictfrom')} || ', (select ($2).*) as excluded`
  return `create function ${schema}.insert_${name}() ${body(`
    declare
      stored_id int4; met_id int4; is_wanted bool; was bool[] := array[${permissions.map(() => 'true').join(', ')}]::bool[];
      mode text := ${setting('_conflict')}; proposed ${schema}.w_${name}; masked ${schema}.u_${name};
    begin
      proposed := new;
      ${fixed.join(' ')}
      if mode <> '' then
        met_id := case split_part(mode, ':', 2) ${cases.join(' ')}
          else (select b.id from main.${name} b where ${keys.map(met).join(' or ')} limit 1) end;
      end if;
      if met_id is null then
        insert into main.${name} (${own.map((column) => column.name).join(', ')})
          values (${own.map((column) => `proposed.${column.name}`).join(', ')}) returning id into stored_id;
      else
        select ${proposedCheck(context, setting)} into is_wanted
          from (select ${columns.map((column) => `proposed.${column.name}::${column.stored} as ${column.name}`).join(', ')}) as b;
        if is_wanted is not true then raise exception 'a check fails' using errcode = '44000'; end if;
        if mode like 'nothing%' then return null; end if;
        if exists (select 1 from ${schema}.touched where tbl = '${name}' and id = met_id) then
          raise exception 'a row is met twice' using errcode = '21000';
        end if;
        select * into masked from ${schema}.u_${name} where raw_id = met_id;
        if not found then return null; end if;
        execute 'select (' || ${setting('_conflictwhere')} || ') from ${rows}' into is_wanted using masked, proposed;
        if is_wanted is not true then return null; end if;
        select ${updateFlags(context)} into was from main.${name} b where b.id = met_id;
        execute 'update main.${name} b set ' || ${setting('_conflictset')} || ${quoted(presetText)} || ' from ${rows} where b.id = $3 returning b.id'
          into stored_id using masked, proposed, met_id;
      end if;
      insert into ${schema}.touched values ('${name}', stored_id, was);
      select * into new from ${schema}.s_${name} where raw_id = stored_id;
      if not found then return null; end if; return new;
    end`)}`
}

/** For a row that is not stored, since another one has its key. */
function proposedCheck(context: TableContext, setting: Setting): string {
  const { permissions, where } = context
  const inserts = covered(
    setting('_by'),
    permissions.map(({ insert }) => (insert === undefined ? 'false' : where(insert.check))),
  )
  return [inserts, ...restrictions(context)].join(' and ')
}

function updateTrigger(context: TableContext, setting: Setting): string {
  const { table, schema } = context
  const { name } = table
  const updated = ownColumns(table).map((column) => {
    const isSet = `position(',${column.name},' in ${setting('_set')}) > 0`
    const own = `case when ${isSet} then new.${column.name} else b.${column.name} end`
    const preset = presetCase(context, 'update', column, setting('_preset'))
    return `${column.name} = ${preset === undefined ? own : `${preset} else ${own} end`}`
  })
  return `create function ${schema}.update_${name}() ${body(`
    declare stored_id int4; was bool[];
    begin
      select ${updateFlags(context)} into was from main.${name} b where b.id = old.raw_id;
      update main.${name} b set ${updated.join(', ')} where b.id = old.raw_id returning b.id into stored_id;
      insert into ${schema}.touched values ('${name}', stored_id, was);
      select * into new from ${schema}.s_${name} where raw_id = stored_id;
      if not found then return null; end if; return new;
    end`)}`
}
