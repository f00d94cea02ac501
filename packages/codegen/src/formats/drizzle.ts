/** @module A Drizzle schema: a PostgreSQL schema for each connection, for any kind of database. */
import type { SchemaDocument } from '@engine/contract'
import { columnComment, tableComment } from '../columns/doc-comment.ts'
import { setType, usesSets } from '../columns/listed-type.ts'
import { literal } from '../names/literal.ts'
import {
  type Builder,
  builders,
  byteaHelper,
  columnBuilder,
  type DrizzleOptions,
} from './drizzle/column-builder.ts'
import { linksOf } from './drizzle/links.ts'
import { type NamedTable, namedSchema } from './drizzle/named-tables.ts'
import { needsCast, relationsV0, relationsV1 } from './drizzle/relations-text.ts'
import { fileText } from './file-text.ts'

export function drizzleFile(schema: SchemaDocument, options: DrizzleOptions): string {
  const { connections, tables, names } = namedSchema(schema, options.connections?.length === 1)
  const used = new Set<string>(tables.length === 0 ? [] : ['pgSchema'])
  const uses = (name: Builder | 'bytea' | 'sql') => {
    used.add(name === 'bytea' ? 'customType' : name)
  }
  const tableTexts = tables.map((table) =>
    tableText(table, connections.get(table.connection) ?? '', options, uses),
  )
  const links = linksOf(tables)
  const relations = options.drizzleVersion === 1 ? [relationsV1(links)] : relationsV0(links, names)
  const fromDrizzle = [
    ...(relations.some((text) => text !== undefined)
      ? [options.drizzleVersion === 1 ? 'defineRelations' : 'relations']
      : []),
    ...(used.has('sql') ? ['sql'] : []),
  ]
  const isCast = options.drizzleVersion !== 1 && [...links.values()].flat().some(needsCast)
  const fromCore = [
    ...(isCast ? ['type AnyPgColumn'] : []),
    ...builders.filter((name) => used.has(name)),
  ]
  const schemas = [...connections].filter(([name]) =>
    tables.some(({ connection }) => connection === name),
  )
  return fileText([
    imports(fromDrizzle, fromCore),
    used.has('customType') ? byteaHelper : undefined,
    usesSets(tables.flatMap(({ columns }) => columns)) ? setType : undefined,
    schemas.length === 0
      ? undefined
      : schemas
          .map(([name, constant]) => `const ${constant} = pgSchema(${literal(name)})`)
          .join('\n'),
    ...tableTexts,
    ...relations,
  ])
}

function imports(fromDrizzle: readonly string[], fromCore: readonly string[]): string | undefined {
  const lines = [
    ...(fromDrizzle.length === 0
      ? []
      : [`import { ${fromDrizzle.join(', ')} } from 'drizzle-orm'`]),
    ...(fromCore.length === 0
      ? []
      : [
          `import {\n${fromCore.map((name) => `  ${name},`).join('\n')}\n} from 'drizzle-orm/pg-core'`,
        ]),
  ]
  return lines.length === 0 ? 'export {}' : lines.join('\n')
}

function tableText(
  table: NamedTable,
  schemaConstant: string,
  options: DrizzleOptions,
  uses: (name: Builder | 'bytea' | 'sql') => void,
): string {
  const { name, constant, columns } = table
  const key = columns.filter(({ primaryKey }) => primaryKey)
  const isComposite = key.length > 1
  if (isComposite) uses('primaryKey')
  const lines = columns.flatMap((column) => {
    const built = columnBuilder(column, options, column.primaryKey && !isComposite, uses)
    return [...columnComment(column, '  '), `  ${column.key}: ${built},`]
  })
  const keyColumns = key.map((column) => `table.${column.key}`).join(', ')
  return [
    tableComment(table),
    `export const ${constant} = ${schemaConstant}.table(${literal(name)}, {`,
    ...lines,
    isComposite ? `}, (table) => [primaryKey({ columns: [${keyColumns}] })])` : '})',
  ].join('\n')
}
