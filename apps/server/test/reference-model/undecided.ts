/** @module Statements whose check the engine cannot decide before the write, and refuses for that reason. */
import type { Call } from './random-statements.ts'
import type { Json, World } from './shapes.ts'

/**
 * May the engine refuse this INSERT with ON CONFLICT although every row that it would store satisfies the check? A row that is
 * not stored is judged before the write. Where more rows of the written table can make the check false, it may hold
 * before the write and not after it; the difference would tell which keys exist.
 */
export function mayBeUndecided(world: World, statement: Call['statement']): boolean {
  if (statement.kind !== 'insert' || statement.conflict === undefined) return false
  const { table } = statement
  return world.permissions
    .filter((permission) => permission.table === table)
    .flatMap(({ restrict, insert, update }) => [restrict, insert?.check, update?.check])
    .some((filter) => shrinksWith(table, world, table, filter, false))
}

/** Can more rows of `written` make the filter on `table` false? */
function shrinksWith(
  written: string,
  { schema }: Pick<World, 'schema'>,
  table: string,
  filter: unknown,
  isNegated: boolean,
): boolean {
  const within = (of: string, part: unknown, negated: boolean): boolean =>
    shrinksWith(written, { schema }, of, part, negated)
  return Object.entries((filter ?? {}) as Json).some(([key, value]) => {
    if (key === '$and' || key === '$or' || key === '$nor') {
      const negated = isNegated || key === '$nor'
      return (value as readonly unknown[]).some((part) => within(table, part, negated))
    }
    if (key === '$not') return within(table, value, true)
    if (key === '$exists') {
      const { table: name, where } = value as { table: string; where?: unknown }
      const far = name.replace('main.', '')
      return (isNegated && far === written) || within(far, where, isNegated)
    }
    const relation = schema[table]?.relations[key]
    if (relation === undefined) return false
    const { many, steps } = relation
    return Object.entries(many ? (value as Json) : { $some: value }).some(([quantifier, of]) => {
      const negated = isNegated || quantifier !== '$some'
      const isRead = steps.some((step) => step.table === written)
      return (negated && isRead) || within(steps.at(-1)?.table ?? '', of, negated)
    })
  })
}
