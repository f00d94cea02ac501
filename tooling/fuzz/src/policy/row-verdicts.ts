/**
 * @module The results of a caller's permissions for rows before a write and after it, computed by PostgreSQL from the
 * rows themselves: for rows of any database, without the engine's code.
 */
import type { Caller, Permission } from '@engine/core'
import { quoted } from '../grammar/literals.ts'
import type { Contents } from '../stores/store.ts'
import type { DirectSubject } from '../subjects/direct-subject.ts'
import { foldedCollation } from '../world/postgres-world.ts'
import type { Cell, Row, World, WorldColumn, WorldTable } from '../world/world.ts'
import { filterSql } from './filter-sql.ts'
import { permissionsOf } from './grants.ts'
import type { Policy } from './random-policy.ts'

/** The result of one permission for one row; UNKNOWN is false. */
export interface Verdict {
  readonly select: boolean
  readonly restrict: boolean
  readonly insertCheck: boolean
  readonly updateWhere: boolean
  readonly updateCheck: boolean
  readonly deleteWhere: boolean
}

export interface AskedRow {
  readonly table: WorldTable
  readonly row: Row
  /** The state of the database: before or after. */
  readonly at: 'before' | 'after'
}

export interface VerdictScene {
  readonly world: World
  readonly policy: Policy
  readonly caller: Caller
}

/** @returns for each row the verdicts of the caller's permissions on its table, in their order. */
export async function rowVerdicts(
  { client }: DirectSubject,
  { world, policy, caller }: VerdictScene,
  states: Readonly<Record<'before' | 'after', Contents>>,
  asked: readonly AskedRow[],
): Promise<readonly (readonly Verdict[])[]> {
  const selects = asked.flatMap(({ table, row, at }, n) => {
    const permissions = permissionsOf(policy, caller, table.name)
    if (permissions.length === 0) return []
    const where = (filter: unknown) =>
      filterSql(filter, {
        world,
        table,
        row: 'b',
        outer: undefined,
        fields: caller.fields,
        relation: (name) => `${at}_${name}`,
      })
    const flags = permissions.flatMap((permission) => conditions(permission, where))
    return `select ${n} as n, array[${flags.join(', ')}]::bool[] as flags from ${rowsOf([row], table.columns)} as b(${namesOf(table)})`
  })
  const verdicts = asked.map((): readonly Verdict[] => [])
  if (selects.length === 0) return verdicts
  const text = selects.join(' union all ')
  const tables = (['before', 'after'] as const).flatMap((at) =>
    world.tables
      .filter(({ name }) => text.includes(`${at}_${name}`))
      .map((table) => {
        const rows = rowsOf(states[at].get(table.name) ?? [], table.columns)
        return `${at}_${table.name} as (select * from ${rows} as x(${namesOf(table)}))`
      }),
  )
  const { rows } = await client.query<{ n: number; flags: (boolean | null)[] }>(
    `${tables.length > 0 ? `with ${tables.join(', ')} ` : ''}${text}`,
  )
  for (const { n, flags } of rows) verdicts[n] = verdictsOf(flags)
  return verdicts
}

function conditions(
  { select, restrict, insert, update, delete: remove }: Permission,
  where: (filter: unknown) => string,
): readonly string[] {
  const when = (block: object | undefined, filter: () => unknown) =>
    block === undefined ? 'false' : where(filter())
  return [
    when(select, () => select?.where),
    where(restrict),
    when(insert, () => insert?.check),
    when(update, () => update?.where),
    when(update, () => update?.check ?? update?.where),
    when(remove, () => remove?.where),
  ]
}

const conditionCount = 6

function verdictsOf(flags: readonly (boolean | null)[]): readonly Verdict[] {
  return Array.from({ length: flags.length / conditionCount }, (_, i) => {
    const [select, restrict, insertCheck, updateWhere, updateCheck, deleteWhere] = flags
      .slice(i * conditionCount, (i + 1) * conditionCount)
      .map((flag) => flag === true)
    return {
      select: select === true,
      restrict: restrict === true,
      insertCheck: insertCheck === true,
      updateWhere: updateWhere === true,
      updateCheck: updateCheck === true,
      deleteWhere: deleteWhere === true,
    }
  })
}

function namesOf({ columns }: WorldTable): string {
  return columns.map(({ name }) => name).join(', ')
}

function rowsOf(rows: readonly Row[], columns: readonly WorldColumn[]): string {
  const constant = (cell: Cell, { stored, foldedOn }: WorldColumn) => {
    const text = `${cell === null ? 'null' : quoted(cell)}::${stored}`
    return foldedOn === 'postgres' ? `(${text} collate ${foldedCollation})` : text
  }
  if (rows.length === 0) {
    return `(select ${columns.map((column) => constant(null, column)).join(', ')} where false)`
  }
  const texts = rows.map(
    (row) => `(${columns.map((column, i) => constant(row[i] ?? null, column)).join(', ')})`,
  )
  return `(values ${texts.join(', ')})`
}
