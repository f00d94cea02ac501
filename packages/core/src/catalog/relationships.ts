/** @module Relations between tables, seen from both ends, and their names. */
import type { RelationshipConfig } from '../config/config.ts'
import type { Relationship, RelationshipType } from './catalog.ts'
import type { IntrospectedTable } from './introspection.ts'

type ForeignKey = IntrospectedTable['foreignKeys'][number]
type Configured = Readonly<Record<string, Readonly<Record<string, RelationshipConfig>>>>

/** Relations by table, then by name. */
export type RelationshipMap = ReadonlyMap<string, ReadonlyMap<string, Relationship>>

/**
 * Names follow one rule, so that they can be foretold:
 * - towards the referenced table: the foreign-key column without `_id`, else the referenced table
 * - from it: the referencing table, with `_by_<column>` where several keys join the same two tables
 * - through a junction: the far table, with `_via_<junction>` when that is taken
 */
export function relationshipsOf(
  tables: readonly IntrospectedTable[],
  configured: Configured,
  onFault: (path: string, message: string) => void,
): RelationshipMap {
  const byName = new Map(tables.map((table) => [table.name, table]))
  const found = new Map(tables.map((table) => [table.name, new Map<string, Relationship>()]))
  const add = (table: string, names: readonly string[], relation: Omit<Relationship, 'name'>) => {
    const relations = found.get(table)
    const name = names.find((candidate) => relations?.has(candidate) === false)
    if (relations !== undefined && name !== undefined) relations.set(name, { name, ...relation })
  }
  for (const table of tables) {
    for (const key of table.foreignKeys) {
      if (byName.has(key.table)) addForeignKey(table, key, add)
    }
  }
  for (const table of tables) addJunction(table, byName, add)
  applyConfigured(found, byName, configured, onFault)
  return found
}

type Add = (table: string, names: readonly string[], relation: Omit<Relationship, 'name'>) => void

function addForeignKey(table: IntrospectedTable, key: ForeignKey, add: Add): void {
  const isOne = isUnique(table, key.columns)
  const suffix = `_by_${key.columns.join('_')}`
  const [only, ...others] = key.columns
  const stem = others.length === 0 && only?.endsWith('_id') ? only.slice(0, -3) : ''
  add(table.name, [stem, key.table, `${key.table}${suffix}`].filter(Boolean), {
    type: isOne ? 'one-to-one' : 'many-to-one',
    table: key.table,
    from: key.columns,
    to: key.references,
    through: undefined,
  })
  const siblings = table.foreignKeys.filter((other) => other.table === key.table)
  const names =
    siblings.length > 1 ? [`${table.name}${suffix}`] : [table.name, `${table.name}${suffix}`]
  add(key.table, names, {
    type: isOne ? 'one-to-one' : 'one-to-many',
    table: table.name,
    from: key.references,
    to: key.columns,
    through: undefined,
  })
}

function isUnique(table: IntrospectedTable, columns: readonly string[]): boolean {
  return [table.primaryKey, ...table.uniqueKeys].some(
    (key) => key.length > 0 && key.every((column) => columns.includes(column)),
  )
}

/** A table with exactly two foreign keys whose columns together are a key of it joins the two others. */
function addJunction(
  table: IntrospectedTable,
  byName: ReadonlyMap<string, IntrospectedTable>,
  add: Add,
): void {
  const [first, second, ...others] = table.foreignKeys
  if (first === undefined || second === undefined || others.length > 0) return
  if (!byName.has(first.table) || !byName.has(second.table)) return
  const columns = [...first.columns, ...second.columns]
  const isKey = [table.primaryKey, ...table.uniqueKeys].some(
    (key) => key.length === columns.length && columns.every((column) => key.includes(column)),
  )
  if (!isKey) return
  for (const [near, far] of [
    [first, second],
    [second, first],
  ] as const) {
    add(near.table, [far.table, `${far.table}_via_${table.name}`], {
      type: 'many-to-many',
      table: far.table,
      from: near.references,
      to: far.references,
      through: { table: table.name, from: near.columns, to: far.columns },
    })
  }
}

function applyConfigured(
  found: ReadonlyMap<string, Map<string, Relationship>>,
  byName: ReadonlyMap<string, IntrospectedTable>,
  configured: Configured,
  onFault: (path: string, message: string) => void,
): void {
  for (const [tableName, relations] of Object.entries(configured)) {
    const known = found.get(tableName)
    const table = byName.get(tableName)
    if (known === undefined || table === undefined) {
      onFault(tableName, `there is no table "${tableName}"`)
      continue
    }
    for (const [name, config] of Object.entries(relations)) {
      const path = `${tableName}.${name}`
      if ('rename' in config) rename(known, name, config.rename, (m) => onFault(path, m))
      else addConfigured(known, table, name, config, byName, (m) => onFault(path, m))
    }
  }
}

function rename(
  relations: Map<string, Relationship>,
  from: string,
  to: string,
  onFault: (message: string) => void,
): void {
  const relation = relations.get(from)
  if (relation === undefined) {
    onFault(`there is no relation "${from}" to rename`)
  } else if (relations.has(to)) {
    onFault(`the name "${to}" is taken`)
  } else {
    relations.delete(from)
    relations.set(to, { ...relation, name: to })
  }
}

function addConfigured(
  relations: Map<string, Relationship>,
  table: IntrospectedTable,
  name: string,
  config: Exclude<RelationshipConfig, { readonly rename: string }>,
  byName: ReadonlyMap<string, IntrospectedTable>,
  onFault: (message: string) => void,
): void {
  const far = byName.get(config.table)
  const from = typeof config.from === 'string' ? [config.from] : config.from
  const to = typeof config.to === 'string' ? [config.to] : config.to
  const missing = (columns: readonly string[], of: IntrospectedTable | undefined) =>
    columns.find((column) => !of?.columns.some((candidate) => candidate.name === column))
  const fault = configuredFault(relations, name, from, to, {
    far,
    farName: config.table,
    unknown: missing(from, table) ?? missing(to, far),
  })
  if (fault !== undefined) {
    onFault(fault)
    return
  }
  const type: RelationshipType = config.type
  relations.set(name, { name, type, table: config.table, from, to, through: undefined })
}

function configuredFault(
  relations: ReadonlyMap<string, Relationship>,
  name: string,
  from: readonly string[],
  to: readonly string[],
  found: {
    readonly far: IntrospectedTable | undefined
    readonly farName: string
    readonly unknown: string | undefined
  },
): string | undefined {
  if (relations.has(name)) return `the name "${name}" is taken`
  if (found.far === undefined) return `there is no table "${found.farName}"`
  if (from.length !== to.length) return '"from" and "to" have different lengths'
  return found.unknown === undefined ? undefined : `there is no column "${found.unknown}"`
}
