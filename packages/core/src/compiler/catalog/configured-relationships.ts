/** @module Relations that the configuration renames, and relations that it declares. */

import { suggestion } from '../../foundation/faults.ts'
import type { Connection, Relationship } from './catalog.ts'
import type { CompleteTable } from './complete-introspection.ts'
import { addJunction, type JunctionKey, otherJunctions } from './junctions.ts'
import type { RelationshipConfig } from './relationship-config.ts'
import {
  type AddRelationship,
  namesFrom,
  namesThrough,
  namesTowards,
} from './relationship-names.ts'
import { keyOfAddress } from './shared-database.ts'

type Declared = Exclude<RelationshipConfig, { readonly rename: string }>
type OnFault = (message: string) => void

export interface FoundRelationships {
  /** Its name, or that of a connection with the same database, may precede the name of a table. */
  readonly connection: Pick<Connection, 'name' | 'members'>
  /** By table, then by name. */
  readonly found: ReadonlyMap<string, Map<string, Relationship>>
  readonly byName: ReadonlyMap<string, CompleteTable>
  readonly add: AddRelationship
}

/**
 * Adds first the named relations, then the other sides of declared ones, unless they were declared too, then the joins of tables
 * by declared keys: so a chosen name is never used for a derived one.
 */
export function addConfigured(
  relationships: FoundRelationships,
  configured: Readonly<Record<string, Readonly<Record<string, RelationshipConfig>>>>,
  onFault: (path: string, message: string) => void,
): void {
  const { connection, found, byName } = relationships
  const declared: Side[] = []
  for (const [text, relations] of Object.entries(configured)) {
    const tableName = keyOfAddress(text, connection.members)
    const known = found.get(tableName)
    const table = byName.get(tableName)
    if (known === undefined || table === undefined) {
      onFault(text, `there is no table "${text}"${suggestion(text, byName.keys())}`)
      continue
    }
    for (const [name, config] of Object.entries(relations)) {
      const fault: OnFault = (message) => onFault(`${text}.${name}`, message)
      if ('rename' in config) {
        rename(known, name, config.rename, fault)
        continue
      }
      const relation = readDeclared(relationships, table, name, config, fault)
      if (relation === undefined) continue
      known.set(name, relation)
      declared.push({ table: tableName, relation })
    }
  }
  for (const side of declared) addOtherSide(side, relationships)
  joinByDeclaredKeys(declared, relationships)
}

/** A relation, and the table that it belongs to. */
interface Side {
  readonly table: string
  readonly relation: Relationship
}

function rename(
  relations: Map<string, Relationship>,
  from: string,
  to: string,
  onFault: OnFault,
): void {
  const relation = relations.get(from)
  if (relation === undefined) {
    onFault(`there is no relation "${from}" to rename`)
  } else if (relations.has(to)) {
    onFault(`the name "${to}" is taken`)
  } else if (otherJunctions(relation, relations).length > 0) {
    onFault('several tables join the two: declare which one is meant, with its "through"')
  } else {
    relations.delete(from)
    relations.set(to, { ...relation, name: to })
  }
}

function readDeclared(
  { connection, found, byName }: FoundRelationships,
  table: CompleteTable,
  name: string,
  config: Declared,
  onFault: OnFault,
): Relationship | undefined {
  const tableOf = (text: string) => byName.get(text) ?? byName.get(bareName(text, connection))
  const far = tableOf(config.table)
  const junction = config.through && tableOf(config.through.table)
  const from = listed(config.from)
  const to = listed(config.to)
  const through = config.through && {
    table: config.through.table,
    from: listed(config.through.from),
    to: listed(config.through.to),
  }
  const fault =
    (found.get(table.name)?.has(name) ? `the name "${name}" is taken` : undefined) ??
    (far === undefined ? noTable(config.table, connection) : undefined) ??
    (through && junction === undefined ? noTable(through.table, connection) : undefined) ??
    columnFault(from, table, through ? through.from : to, through ? junction : far) ??
    (through && columnFault(through.to, junction, to, far))
  if (fault !== undefined || far === undefined) {
    onFault(fault ?? noTable(config.table, connection))
    return undefined
  }
  const way = through && junction && { ...through, table: junction.name }
  return { name, type: config.type, table: far.name, from, to, through: way }
}

function listed(columns: string | readonly string[]): readonly string[] {
  return typeof columns === 'string' ? [columns] : columns
}

/** `main.orders` → `orders`, in the connection `main`. */
function bareName(text: string, { name, members }: FoundRelationships['connection']): string {
  if (members !== undefined) return keyOfAddress(text, members)
  const prefix = `${name}.`
  return text.startsWith(prefix) ? text.slice(prefix.length) : text
}

function noTable(name: string, connection: FoundRelationships['connection']): string {
  const hint = name.includes('.')
    ? `; a relation stays within its connection, "${connection.name}"`
    : ''
  return `there is no table "${name}"${hint}`
}

/** The fault of two lists of columns that are to be equal. */
function columnFault(
  own: readonly string[],
  ownTable: CompleteTable | undefined,
  far: readonly string[],
  farTable: CompleteTable | undefined,
): string | undefined {
  if (own.length !== far.length) return '"from" and "to" have different lengths'
  const missing = (columns: readonly string[], table: CompleteTable | undefined) => {
    const column = columns.find((name) => !table?.columns.some((known) => known.name === name))
    return column === undefined
      ? undefined
      : `there is no column "${column}" in "${table?.name ?? ''}"`
  }
  return missing(own, ownTable) ?? missing(far, farTable)
}

/** The kind of a relation seen from the other side. */
const opposite = {
  'one-to-one': 'one-to-one',
  'one-to-many': 'many-to-one',
  'many-to-one': 'one-to-many',
  'many-to-many': 'many-to-many',
} as const

function addOtherSide({ table, relation }: Side, relationships: FoundRelationships): void {
  const { through } = relation
  const back: Omit<Relationship, 'name'> = {
    type: opposite[relation.type],
    table,
    from: relation.to,
    to: relation.from,
    through: through && { table: through.table, from: through.to, to: through.from },
  }
  addOnce(relationships)(relation.table, otherNames(back), back)
}

function otherNames({ type, table, from, to, through }: Omit<Relationship, 'name'>) {
  if (through !== undefined) return namesThrough(table, through)
  return type === 'many-to-one' ? namesTowards(from, table) : namesFrom(to, table)
}

/** Leaves out a relation that a table already has under any name. */
function addOnce({ found, add }: FoundRelationships): AddRelationship {
  return (table, names, relation) => {
    const known = [...(found.get(table)?.values() ?? [])]
    if (!known.some((other) => isSame(other, relation))) add(table, names, relation)
  }
}

/** Two relations with the same tables and columns are the same, whatever their names. */
function isSame(left: Omit<Relationship, 'name'>, right: Omit<Relationship, 'name'>): boolean {
  const text = ({ table, from, to, through }: Omit<Relationship, 'name'>) =>
    JSON.stringify([table, from, to, through?.table, through?.from, through?.to])
  return text(left) === text(right)
}

/** Between files, only the configuration declares which file joins two others. */
function joinByDeclaredKeys(declared: readonly Side[], relationships: FoundRelationships): void {
  const keys = declared.flatMap(({ table, relation }) => {
    const { type, table: far, from, to } = relation
    if (type === 'many-to-one') return [{ owner: table, columns: from, table: far, references: to }]
    if (type === 'one-to-many') return [{ owner: far, columns: to, table, references: from }]
    return []
  })
  for (const [owner, own] of Map.groupBy(keys, (key) => key.owner)) {
    const table = relationships.byName.get(owner)
    if (table === undefined) continue
    const all = new Map([...table.foreignKeys, ...own].map((key) => [keyText(key), key]))
    addJunction(table, [...all.values()], relationships.byName, addOnce(relationships))
  }
}

function keyText({ columns, table, references }: JunctionKey): string {
  return JSON.stringify([columns, table, references])
}
