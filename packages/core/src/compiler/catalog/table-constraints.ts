/** @module The constraints of a table by name: where the database has no names, those that PostgreSQL would generate. */
import type { ForeignKey, Table } from './catalog.ts'

export interface TableConstraint {
  readonly name: string
  /** Names, in the order of the constraint. */
  readonly columns: readonly string[]
  /** For a foreign key. */
  readonly references?: { readonly table: string; readonly columns: readonly string[] }
}

/** Two constraints may have the same name if both names are generated. */
export function tableConstraints(table: Table): readonly TableConstraint[] {
  const namesOf = (ordinals: readonly number[]): readonly string[] =>
    ordinals.map((ordinal) => table.columns[ordinal]?.name ?? '')
  const { keyConstraints = new Map<string, readonly number[]>(), checks = [], indexes = [] } = table
  const named = [...keyConstraints].map(([name, key]) => ({ name, columns: namesOf(key) }))
  const ofIndexes = indexes
    .filter(({ isUnique, parts }) => isUnique === true && parts === undefined)
    .map(({ columns }) => ({ columns: namesOf(columns) }))
  const unnamed = (key: readonly number[]) =>
    ![...named, ...ofIndexes].some(({ columns }) => columns.join('\0') === namesOf(key).join('\0'))
  return [
    ...named,
    ...[table.primaryKey]
      .filter((key) => key.length > 0 && unnamed(key))
      .map((key) => ({ name: `${table.name}_pkey`, columns: namesOf(key) })),
    ...table.uniqueKeys.filter(unnamed).map((key) => {
      const columns = namesOf(key)
      return { name: `${table.name}_${columns.join('_')}_key`, columns }
    }),
    ...table.foreignKeys.map((key) => ({
      name: foreignKeyName(table, key),
      columns: namesOf(key.columns),
      references: { table: key.table, columns: key.references },
    })),
    ...[...checks, ...indexes].map(({ name, columns }) => ({ name, columns: namesOf(columns) })),
  ]
}

export function foreignKeyName(table: Table, { name, columns }: ForeignKey): string {
  const names = columns.map((ordinal) => table.columns[ordinal]?.name ?? '')
  return name ?? `${table.name}_${names.join('_')}_fkey`
}
