import type { ColumnDescription, RelationshipDescription, SchemaDocument } from '@engine/contract'
import { commentText } from '../names/literal.ts'
import { type ColumnType, readColumnType } from './column-type.ts'

/** A table, and the types that are generated for it. */
export interface Table {
  readonly connection: string
  readonly name: string
  /** `<connection>.<table>` */
  readonly path: string
  /** What its owner wrote about it. */
  readonly comment: string | undefined
  readonly columns: readonly Column[]
  readonly relationships: readonly (RelationshipDescription & { readonly name: string })[]
}

export interface Column extends Omit<ColumnDescription, 'type'> {
  readonly name: string
  readonly type: ColumnType
}

/** Every table, by connection and name: the order does not depend on the source of the document. */
export function tablesOf({ connections }: SchemaDocument): readonly Table[] {
  return sortedEntries(connections).flatMap(([connection, { tables }]) =>
    sortedEntries(tables).map(
      ([name, { comment, columns, relationships }]): Table => ({
        connection,
        name,
        path: `${connection}.${name}`,
        comment,
        columns: Object.entries(columns).map(([column, description]) => ({
          ...description,
          name: column,
          type: readColumnType(description.type),
        })),
        relationships: sortedEntries(relationships).map(([relation, description]) => ({
          ...description,
          name: relation,
        })),
      }),
    ),
  )
}

/** By key, in the order of UTF-16 code units. */
export function sortedEntries<Value>(
  items: Readonly<Record<string, Value>>,
): readonly (readonly [string, Value])[] {
  return Object.entries(items).sort(([left], [right]) => (left < right ? -1 : 1))
}

/** Returns whether an INSERT may leave the column out. */
export function isOptional({ hasDefault, nullable }: Column): boolean {
  return hasDefault || nullable
}

/** Returns whether a new row may have a value for the column, without OVERRIDING SYSTEM VALUE. */
export function isWritable({ identity, generated }: Column): boolean {
  return identity !== 'always' && generated !== true
}

/** For comments: `"orders" in the connection "main"`. */
export function placeOf({ connection, name }: Table): string {
  return `"${commentText(name)}" in the connection "${commentText(connection)}"`
}
