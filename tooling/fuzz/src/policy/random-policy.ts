import type { Filter, Permission } from '@engine/core'
import type { JsonValue } from '@engine/corpus'
import { sampleTexts } from '../grammar/literals.ts'
import type { Random } from '../random.ts'
import { ownColumns, type World, type WorldTable } from '../world/world.ts'
import { roleNames } from './caller.ts'
import { randomFilter } from './random-filter.ts'

/** Permissions by name, as a configuration has them. */
export type Policy = Readonly<Record<string, Permission>>

export interface PolicyOptions {
  /** Writes are also granted. */
  readonly hasWrites: boolean
  /** Some permissions forbid aggregates. */
  readonly forbidsAggregates: boolean
  /** Columns that no permission grants: `columns` is always a list then. */
  readonly ungranted?: readonly string[]
  /** Conditions on written rows may read rows of the same table. */
  readonly mayReadItself?: boolean
}

/** One to three permissions for every table of a world. */
export function randomPolicy(random: Random, world: World, options: PolicyOptions): Policy {
  const policy: Record<string, Permission> = {}
  for (const table of world.tables) {
    const count = random.weighted([
      [25, 1],
      [45, 2],
      [30, 3],
    ])
    // Two permissions of a role may not set a column to different values.
    const preset = presets(random, table, options.ungranted ?? [])
    for (let i = 1; i <= count; i += 1) {
      policy[`${table.name}_${i}`] = permission(random, world, table, { ...options, preset })
    }
  }
  return policy
}

function permission(
  random: Random,
  world: World,
  table: WorldTable,
  {
    hasWrites,
    forbidsAggregates,
    preset,
    ungranted = [],
    mayReadItself = false,
  }: PolicyOptions & { readonly preset: Presets },
): Permission {
  // Filters that writes depend on read only their own table: the content of other tables is not defined while a
  // statement writes them too.
  const filter = (mayRelate = !hasWrites): Filter =>
    randomFilter(random, world, table, {
      depth: random.integer(0, 2),
      mayRelate,
      mayReadItself,
      ungranted,
      mayLack: random.chance(50),
      outer: undefined,
    })
  const where = (percent: number): { readonly where?: Filter } =>
    random.chance(percent) ? { where: filter() } : {}
  const columns = (): { readonly columns?: readonly string[] | '*' } =>
    random.weighted<() => { readonly columns?: readonly string[] | '*' }>([
      [ungranted.length > 0 ? 0 : 25, () => ({})],
      [ungranted.length > 0 ? 0 : 10, () => ({ columns: '*' })],
      [
        65,
        () => ({
          columns: mostColumns(random, table).filter((name) => !ungranted.includes(name)),
        }),
      ],
    ])()
  return {
    table: `main.${table.name}`,
    roles: random.weighted<() => readonly string[]>([
      [85, () => random.some(roleNames, 1)],
      [15, () => ['*']],
    ])(),
    ...(random.chance(15) ? { restrict: filter() } : {}),
    select: {
      ...columns(),
      ...where(75),
      ...(forbidsAggregates && random.chance(8) ? { aggregate: false } : {}),
    },
    ...(hasWrites && random.chance(65)
      ? {
          insert: {
            ...columns(),
            ...(random.chance(50) ? { check: filter() } : {}),
            ...preset,
          },
        }
      : {}),
    ...(hasWrites && random.chance(65)
      ? {
          update: {
            ...columns(),
            ...where(60),
            ...(random.chance(45) ? { check: filter() } : {}),
            ...preset,
          },
        }
      : {}),
    ...(hasWrites && random.chance(60) ? { delete: where(60) } : {}),
  }
}

/** Each column with some probability, the key almost always. */
function mostColumns(random: Random, table: WorldTable): readonly string[] {
  return table.columns
    .filter(({ name }) => random.chance(name === 'id' ? 90 : 65))
    .map(({ name }) => name)
}

interface Presets {
  readonly preset?: Readonly<Record<string, unknown>>
}

function presets(random: Random, table: WorldTable, ungranted: readonly string[]): Presets {
  if (!random.chance(20)) return {}
  const column = random.pick(ownColumns(table).filter(({ name }) => !ungranted.includes(name)))
  if (column.name === 'id' || table.foreignKeys.some((key) => key.column === column.name)) return {}
  if (column.name === table.unique) return {}
  const [plainest = ''] = sampleTexts[column.type]
  const value: JsonValue =
    column.type === 'int4' && random.chance(50)
      ? '$user.level'
      : column.type === 'bool'
        ? plainest === 'true'
        : column.type === 'int4' || column.type === 'int2'
          ? Number(plainest)
          : plainest
  if (column.type === 'json' || column.type === 'jsonb' || column.type.endsWith('[]')) return {}
  if (column.stored === 'char(4)') return {}
  return { preset: { [column.name]: value } }
}

/** Names of relations, as `relationships` of the connection gives them. */
export function relationshipConfig(
  world: Pick<World, 'tables'>,
  toOne: (column: string) => string,
  toMany: (table: string, column: string) => string,
): Readonly<Record<string, Readonly<Record<string, RelationConfig>>>> {
  const config: Record<string, Record<string, RelationConfig>> = {}
  const add = (table: string, name: string, relation: RelationConfig): void => {
    config[table] = { ...config[table], [name]: relation }
  }
  for (const table of world.tables) {
    for (const key of table.foreignKeys) {
      add(table.name, toOne(key.column), {
        table: key.table,
        type: 'many-to-one',
        from: key.column,
        to: 'id',
      })
      add(key.table, toMany(table.name, key.column), {
        table: table.name,
        type: 'one-to-many',
        from: 'id',
        to: key.column,
      })
    }
  }
  return config
}

interface RelationConfig {
  readonly table: string
  readonly type: 'many-to-one' | 'one-to-many'
  readonly from: string
  readonly to: string
}
