/** @module zod 4 schemas: for rows that are read, for new rows, for input and output of actions. */
import type { ScalarWireKind, SchemaDocument } from '@engine/contract'
import { type ColumnType, isMoment } from '../columns/column-type.ts'
import { columnComment, tableComment } from '../columns/doc-comment.ts'
import { listedValues, setMembers, setType, textList, usesSets } from '../columns/listed-type.ts'
import { type Column, isOptional, isWritable, type Table, tablesOf } from '../columns/table-list.ts'
import { camelCase, pascalCase } from '../names/identifier.ts'
import { commentText, keyName } from '../names/literal.ts'
import { createNameSpace, type NameSpace } from '../names/name-space.ts'
import { reservedWords } from '../names/reserved-words.ts'
import { printType } from '../shapes/print-typescript.ts'
import { printZod } from '../shapes/print-zod.ts'
import type { Definition } from '../shapes/shape.ts'
import { type ShapedAction, shapedActions } from './action-types.ts'
import { fileText } from './file-text.ts'

const readSchemas: Readonly<Record<ScalarWireKind, string>> = {
  boolean: 'z.boolean()',
  integer: 'z.number()',
  bigint: 'z.string().regex(/^-?\\d+$/)',
  float: 'float',
  decimal: 'z.string()',
  bytes: 'z.string().regex(/^\\\\x([0-9a-f]{2})*$/)',
  json: 'z.json()',
  text: 'z.string()',
}

const writtenSchemas: Readonly<Partial<Record<ScalarWireKind, string>>> = {
  bigint: 'z.union([z.string(), z.number()])',
  decimal: 'z.union([z.string(), z.number()])',
  float: 'z.number()',
  bytes: 'z.string()',
}

const floatSchema = `/** JSON has no word for these three: they come as texts. */
const float = z.union([z.number(), z.enum(['NaN', 'Infinity', '-Infinity']).transform(Number)])`

const setSchema = `const setOf = <const Members extends readonly string[]>(members: Members) =>
  z.custom<SetOf<Members>>((value) => {
    const parts = typeof value === 'string' ? value.split(',') : undefined
    return parts !== undefined && value === members.filter((each) => parts.includes(each)).join(',')
  })`

export function zodFile(schema: SchemaDocument): string {
  const names = createNameSpace(['z', 'float', 'setOf', 'SetOf', 'Record', ...reservedWords])
  const tables = tablesOf(schema)
  const blocks = tables.map((table) => tableSchemas(table, names))
  const columns = tables.flatMap((table) => table.columns)
  const usesFloat = columns.some(({ type }) => type.kind === 'float')
  const actions = shapedActions(schema, names)
  const schemaNames = definitionSchemaNames(actions, names)
  const declared = [
    ...blocks,
    ...actions.flatMap((action) => actionSchemas(action, names, schemaNames)),
  ]
  return fileText([
    declared.length === 0 ? 'export {}' : "import { z } from 'zod'",
    usesFloat ? floatSchema : undefined,
    usesSets(columns) ? `${setType}\n\n${setSchema}` : undefined,
    ...declared,
  ])
}

function tableSchemas(table: Table, names: NameSpace): string {
  const { connection, name } = table
  const stem = `${camelCase(connection, 'connection')}${pascalCase(name, 'Table')}`
  const typeStem = `${pascalCase(connection, 'Connection')}${pascalCase(name, 'Table')}`
  const lines = (columns: readonly Column[], schemaOf: (column: Column) => string) =>
    columns.flatMap((column) => [
      ...columnComment(column, '  '),
      `  ${keyName(column.name)}: ${schemaOf(column)},`,
    ])
  const row = names.take(`${stem}Row`)
  const insert = names.take(`${stem}Insert`)
  return [
    tableComment(table, 'A row of '),
    `export const ${row} = z.object({`,
    ...lines(table.columns, readSchema),
    '})',
    `export type ${names.take(`${typeStem}Row`)} = z.infer<typeof ${row}>`,
    '',
    tableComment(table, 'A new row of '),
    `export const ${insert} = z.object({`,
    ...lines(table.columns.filter(isWritable), writtenSchema),
    '})',
    `export type ${names.take(`${typeStem}Insert`)} = z.infer<typeof ${insert}>`,
  ].join('\n')
}

function readSchema(column: Column): string {
  const { type, nullable } = column
  return orNull(listOf(type, listedSchema(column) ?? readSchemas[type.kind]), nullable)
}

function writtenSchema(column: Column): string {
  const { type, nullable } = column
  const moment = isMoment(type) ? 'z.union([z.string(), z.date()])' : undefined
  const single =
    listedSchema(column) ?? moment ?? writtenSchemas[type.kind] ?? readSchemas[type.kind]
  return `${orNull(listOf(type, single), nullable)}${isOptional(column) ? '.optional()' : ''}`
}

/** `z.enum(['G', 'PG'])`, `z.literal([1, 2])`, `setOf(['new', 'old'])` */
function listedSchema(column: Column): string | undefined {
  const members = setMembers(column)
  if (members !== undefined) return `setOf(${textList(members)})`
  const values = listedValues(column)
  if (values.length === 0) return undefined
  const schema = column.type.kind === 'text' ? 'enum' : 'literal'
  return `z.${schema}(${textList(values)})`
}

function listOf({ isArray }: ColumnType, item: string): string {
  return isArray ? `z.array(${item}.nullable())` : item
}

function orNull(schema: string, nullable: boolean): string {
  return nullable ? `${schema}.nullable()` : schema
}

/** Schemas of definitions, by the name of their type. */
function definitionSchemaNames(
  actions: readonly ShapedAction[],
  names: NameSpace,
): ReadonlyMap<string, string> {
  const definitions = actions.flatMap((action) => action.definitions)
  return new Map(definitions.map(({ name }) => [name, names.take(camelCase(name, 'part'))]))
}

function actionSchemas(
  { name, input, output, definitions }: ShapedAction,
  names: NameSpace,
  schemaNames: ReadonlyMap<string, string>,
): readonly string[] {
  const nameOf = (definition: string) => schemaNames.get(definition) ?? 'z.unknown()'
  const stem = camelCase(name, 'unnamed')
  const sides = [
    ['Input', 'takes', input],
    ['Output', 'gives', output],
  ] as const
  return [
    ...definitions.map((definition) => definitionSchema(definition, nameOf)),
    ...sides.map(([side, verb, shape]) => {
      const schema = names.take(`${stem}${side}`)
      const type = names.take(`${pascalCase(name, 'Unnamed')}${side}`)
      return [
        `/** What the action "${commentText(name)}" ${verb}. */`,
        `export const ${schema} = ${printZod(shape, '', nameOf)}`,
        `export type ${type} = z.infer<typeof ${schema}>`,
      ].join('\n')
    }),
  ]
}

/** A definition may contain itself: its type is written out, since TypeScript could not infer it. */
function definitionSchema(
  { name, shape }: Definition,
  schemaName: (definition: string) => string,
): string {
  return [
    `export type ${name} = ${printType(shape, '', { allowsUndefined: true })}`,
    `export const ${schemaName(name)}: z.ZodType<${name}> = z.lazy(() => ${printZod(shape, '', schemaName)})`,
  ].join('\n')
}
