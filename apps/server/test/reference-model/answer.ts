/**
 * @module Computes what a statement returns and stores, for one caller, by evaluating every row. Shares no code with
 * the engine.
 */
import { isDeepStrictEqual } from 'node:util'
import { conditionOf, operandOf } from './conditions.ts'
import type {
  Answer,
  Block,
  Row,
  SelectStatement,
  Statement,
  Value,
  World,
  WriteStatement,
} from './shapes.ts'

const refused = new Error('refused')
const rejected = new Error('rejected')
const need = (condition: unknown, otherwise: Error): void => {
  if (!condition) throw otherwise
}

export function answerOf(world: World, statement: Statement): Answer {
  try {
    return statement.kind === 'select' ? select(world, statement) : write(world, statement)
  } catch (error) {
    if (error === refused) return { kind: 'refused' }
    if (error === rejected) return { kind: 'rejected' }
    throw error
  }
}

const permissionsOn = ({ permissions, roles }: World, name: string) =>
  permissions.filter(
    (p) => p.table === name && [...roles, '*'].some((role) => p.roles.includes(role)),
  )
const lists = ({ columns }: Block, name: string) => columns?.includes(name) ?? true
const restriction = (world: World, table: string) =>
  conditionOf(world, table, { $and: permissionsOn(world, table).map((p) => p.restrict ?? {}) })
const truth = (world: World, filter: unknown, row: Row) =>
  conditionOf(world, '', filter).at(row) === true
const as = (alias: string, row: Row = {}): Row =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [`${alias}.${name}`, value]))

/**
 * The part of a table that the caller sees: rows, and for each the cells that one permission shows together with it.
 */
function viewOf(world: World, table: string) {
  const grants = permissionsOn(world, table).flatMap(({ select: block }) =>
    block ? [{ ...block, is: conditionOf(world, table, block.where) }] : [],
  )
  need(grants.length > 0, refused)
  const restrict = restriction(world, table)
  const see = (row: Row): readonly Row[] => {
    const showing = grants.filter(({ is }) => is.at(row) === true)
    if (showing.length === 0 || restrict.at(row) !== true) return []
    const cells = Object.entries(row).map(([name, value]): [string, Value] => [
      name,
      showing.some((grant) => lists(grant, name)) ? value : null,
    ])
    return [Object.fromEntries(cells)]
  }
  const has = (name: string) => grants.some((grant) => lists(grant, name))
  const limit = Math.max(...grants.map((grant) => grant.limit ?? Number.POSITIVE_INFINITY))
  return { see, has, limit, mayCount: grants.some(({ aggregate = true }) => aggregate) }
}

/** Every named column must be readable. */
function verifyColumns(part: unknown, has: Readonly<Record<string, (name: string) => boolean>>) {
  for (const [, alias = '', name = ''] of JSON.stringify(part).matchAll(/"([abx])\.(\w+)"/g)) {
    need(has[alias]?.(name), refused)
  }
}

function select(world: World, statement: SelectStatement): Answer {
  const { table, join, where, columns, offset = 0 } = statement
  const views = [table, join?.table ?? table].map((name) => viewOf(world, name))
  const [a, b] = views as [ReturnType<typeof viewOf>, ReturnType<typeof viewOf>]
  verifyColumns(statement, { a: a.has, b: b.has })
  need(!statement.isCounted || (a.mayCount && b.mayCount), refused)
  const rows = (name: string, view: typeof a) => (world.rows[name] ?? []).flatMap(view.see)
  const joined = rows(table, a).flatMap((row): readonly Row[] => {
    if (join === undefined) return [as('a', row)]
    const pairs = rows(join.table, b).map((other) => ({ ...as('a', row), ...as('b', other) }))
    const found = pairs.filter((pair) => truth(world, join.on, pair))
    return found.length === 0 && join.isLeft ? [as('a', row)] : found
  })
  const cells = joined
    .filter((row) => truth(world, where, row))
    .map((row) => columns.map((name) => row[name] ?? null))
  const groups = Map.groupBy(cells, (row) => JSON.stringify(row))
  if (columns.length === 0) groups.set('[]', cells)
  const counted = [...groups].map(([key, group]): Value[] => [...JSON.parse(key), group.length])
  const limit = Math.min(statement.limit ?? Number.POSITIVE_INFINITY, a.limit, b.limit)
  const sorted = (statement.isCounted ? counted : cells).toSorted(order)
  return { kind: 'rows', rows: sorted.slice(offset, offset + limit), after: world.rows }
}

/** NULLs last. */
function order(x: readonly Value[], y: readonly Value[]): number {
  const i = x.findIndex((value, at) => value !== y[at])
  const [p = null, q = null] = [x[i], y[i]]
  return i < 0 ? 0 : p === null ? 1 : q === null || p < q ? -1 : 1
}

/** The presets, and for the old row the checks one of which the stored row must satisfy. */
function coverOf(
  world: World,
  table: string,
  kind: 'insert' | 'update',
  columns: readonly string[],
) {
  const named = (block: Block) =>
    columns.every((name) => lists(block, name) && !Object.hasOwn(block.preset ?? {}, name))
  const covering = permissionsOn(world, table).flatMap((p) =>
    p[kind] && named(p[kind]) ? [p[kind]] : [],
  )
  const [first = {}] = covering
  need(
    covering.length > 0 &&
      covering.every((block) => isDeepStrictEqual(block.preset ?? {}, first.preset ?? {})),
    refused,
  )
  const presets = Object.entries(first.preset ?? {}).map(([name, value]) => {
    const get = operandOf(world, value, world.schema[table]?.columns[name] ?? 'text')
    need(get, refused)
    return [name, get?.({})]
  })
  const can = (filter: unknown) => conditionOf(world, table, filter).can.includes(true)
  const live = covering.filter(({ where, check = where }) => can(where) && can(check))
  need(live.length > 0 && restriction(world, table).can.includes(true), refused)
  const checksFor = (row: Row | undefined) =>
    live.flatMap(({ where, check = where }) =>
      row === undefined || conditionOf(world, table, where).at(row) === true ? [check] : [],
    )
  return { presets: Object.fromEntries(presets) as Row, checksFor }
}

/** A row before and after; the stored row must satisfy one check of each list. */
interface Change {
  readonly old?: Row | undefined
  readonly new?: Row | undefined
  readonly checks: readonly (readonly Block['where'][])[]
}

function write(world: World, statement: WriteStatement): Answer {
  const { kind, table, values = [], conflict, set = {}, where, returning = [] } = statement
  const isRead = kind !== 'insert' || conflict !== undefined || returning.length > 0
  const view = isRead ? viewOf(world, table) : { see: () => [], has: () => false }
  verifyColumns([set, where, returning, conflict === undefined ? [] : 'a.id'], {
    a: view.has,
    // The client knows the values that it proposed.
    x: (column) => view.has(column) || values.some((row) => Object.hasOwn(row, column)),
  })
  const rows = world.rows[table] ?? []
  const update = kind === 'update' || conflict === 'update' ? updater() : undefined
  const changes =
    kind === 'delete'
      ? deleted()
      : kind === 'update'
        ? rows.flatMap((row) => update?.change(row) ?? [])
        : inserted()
  const next = (row: Row): readonly Row[] => {
    const change = changes.find(({ old }) => old === row)
    return change === undefined ? [row] : change.new === undefined ? [] : [change.new]
  }
  const added = changes.flatMap(({ old, new: row }) => (old || !row ? [] : [row]))
  const after = { ...world, rows: { ...world.rows, [table]: [...rows.flatMap(next), ...added] } }
  need(isConsistent(after), rejected)
  const restrict = restriction(after, table)
  for (const { new: row, checks } of changes) {
    const holds = (check: Block['where']) =>
      row && conditionOf(after, table, check).at(row) === true
    need(!row || (restrict.at(row) === true && checks.every((any) => any.some(holds))), rejected)
  }
  const see =
    returning.length === 0 ? () => [] : kind === 'delete' ? view.see : viewOf(after, table).see
  const shown = changes.flatMap((change) =>
    see(change.new ?? change.old ?? {}).map((row) => as('a', row)),
  )
  return {
    kind: 'rows',
    rows: shown.map((row) => returning.map((name) => row[name] ?? null)),
    after: after.rows,
  }

  function deleted(): readonly Change[] {
    const grants = permissionsOn(world, table).flatMap((p) =>
      p.delete ? [conditionOf(world, table, p.delete.where)] : [],
    )
    const may =
      grants.some(({ can }) => can.includes(true)) && restriction(world, table).can.includes(true)
    need(may, refused)
    return rows
      .filter((row) => grants.some(({ at }) => at(row) === true))
      .filter((row) => view.see(row).some((seen) => truth(world, where, as('a', seen))))
      .map((row) => ({ old: row, checks: [] }))
  }

  function updater() {
    const { presets, checksFor } = coverOf(world, table, 'update', Object.keys(set))
    const change = (old: Row, proposed?: Row): readonly Change[] => {
      const [seen] = view.see(old)
      const known = { ...as('a', seen), ...as('x', proposed) }
      const checks = checksFor(old)
      if (!seen || checks.length === 0 || !truth(world, where, known)) return []
      const cells = Object.entries(set).map(([name, value]) => [
        name,
        operandOf(world, value, 'text')?.(known),
      ])
      return [{ old, new: { ...old, ...Object.fromEntries(cells), ...presets }, checks: [checks] }]
    }
    return { change, checks: checksFor(undefined) }
  }

  /**
   * The row that an upsert proposes must first satisfy the check of INSERT, whatever happens to it; the stored row must
   * satisfy both checks.
   */
  function inserted(): readonly Change[] {
    const { presets, checksFor } = coverOf(world, table, 'insert', Object.keys(values[0] ?? {}))
    return values.flatMap((value): readonly Change[] => {
      const row = { ...world.schema[table]?.defaults, ...value, ...presets }
      const holds = checksFor(row).map((check) => conditionOf(world, table, check).at(row))
      const mayBe = restriction(world, table).at(row) === true && holds.includes(true)
      need(conflict === undefined || mayBe, rejected)
      const existing = conflict && rows.find(({ id }) => id === row['id'])
      const added = { new: row, checks: update ? [update.checks] : [] }
      const stored = existing === undefined ? [added] : (update?.change(existing, row) ?? [])
      return stored.map((change) => ({ ...change, checks: [...change.checks, checksFor(row)] }))
    })
  }
}

/** Keys are unique, and references find their row. */
function isConsistent({ schema, rows }: World): boolean {
  return Object.entries(schema).every(([table, { references, unique = ['id'] }]) => {
    const own = rows[table] ?? []
    const isUnique = (columns: readonly string[]) => {
      const keys = own.map((row) => columns.map((name) => row[name] ?? null))
      const full = keys.filter((key) => !key.includes(null)).map((key) => JSON.stringify(key))
      return new Set(full).size === full.length
    }
    const finds = (row: Row, [name, far]: readonly [string, string]) =>
      row[name] === null || (rows[far] ?? []).some(({ id }) => id === row[name])
    const isGood = (row: Row) =>
      row['id'] !== null && Object.entries(references).every((each) => finds(row, each))
    return isUnique(['id']) && isUnique(unique) && own.every(isGood)
  })
}
