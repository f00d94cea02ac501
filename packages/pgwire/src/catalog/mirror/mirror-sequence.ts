/** @module The sequences of a mirror: those that the caller may advance, with their names and options. */
import type { VisibleColumn, VisibleConnection, VisibleTable } from '@engine/core/session'
import type { CatalogNumbers } from '../catalog-numbers.ts'
import { presetNumbers } from './preset-numbers.ts'
import { quoteName, quoteText } from './sql-text.ts'

type Sequences = NonNullable<VisibleColumn['column']['sequences']>
type SequenceOptions = Sequences[number]['options']

export interface MirrorSequence {
  /** Undefined: PostgreSQL chooses one. */
  readonly name: string | undefined
  readonly use: 'identity' | 'owned' | 'default'
  readonly options: SequenceOptions
}

/** The sequence of the column's identity, or else of its default. Of any other the mirror shows only that it numbers the column. */
export function mirrorSequence(
  connection: VisibleConnection,
  { name: table }: VisibleTable,
  { column, isReadable, isInsertable }: VisibleColumn,
): MirrorSequence | undefined {
  if (!isReadable || !isInsertable) return undefined
  const { sequences = [], nativeDefault } = column
  const [sequence] =
    nativeDefault === undefined ? sequences.filter(isIdentity) : sequences.toSorted(defaultsFirst)
  if (sequence === undefined || (nativeDefault !== undefined && !isNextValue(nativeDefault))) {
    return undefined
  }
  const { use, options } = sequence
  const name = shownName(connection, sequence)
  const isUsual = use === 'identity' && name === `${table}_${column.name}_seq`
  return { name: isUsual ? undefined : name, use, options }
}

/** As the name of a table: the connections of a database that they share have names without a schema. */
function shownName(
  { name, database }: VisibleConnection,
  { key, native }: Sequences[number],
): string {
  return database === undefined || database === name ? key : native.name
}

const isIdentity = ({ use }: Sequences[number]) => use === 'identity'

function defaultsFirst({ use: a }: Sequences[number], { use: b }: Sequences[number]): number {
  return Number(b === 'default') - Number(a === 'default')
}

/** `nextval('orders_id_seq'::regclass)` and nothing more. */
function isNextValue(nativeDefault: string): boolean {
  return /^nextval\('(?:[^']|'')*'::regclass\)$/i.test(nativeDefault)
}

/** `generated always as identity (start with 10)` */
export function identityClause(
  isAlways: boolean,
  schema: string,
  sequence: MirrorSequence | undefined,
): string {
  const clause = `generated ${isAlways ? 'always' : 'by default'} as identity`
  if (sequence === undefined) return clause
  const { name, options } = sequence
  const named = name === undefined ? [] : [`sequence name ${quoteName(schema)}.${quoteName(name)}`]
  const parts = [...named, ...optionParts(options)]
  return parts.length === 0 ? clause : `${clause} (${parts.join(' ')})`
}

/** `default nextval('"main"."orders_id_seq"')` */
export function nextValueClause(schema: string, name: string): string {
  return `default nextval(${quoteText(`${quoteName(schema)}.${quoteName(name)}`)})`
}

/** Steps before the tables: columns name the sequences in their defaults. The role may look at them, not advance them. */
export function sequenceSteps(
  connection: VisibleConnection,
  numbers: CatalogNumbers,
  role: string,
): readonly (readonly string[])[] {
  const { name: schema, tables } = connection
  const steps = new Map<string, readonly string[]>()
  for (const table of tables) {
    for (const column of table.columns) {
      const sequence = mirrorSequence(connection, table, column)
      if (sequence?.name === undefined || sequence.use === 'identity') continue
      const address = `${quoteName(schema)}.${quoteName(sequence.name)}`
      const { type } = sequence.options
      const words = [`create sequence ${address}`, `as ${typeName(type)}`]
      const create = [...words, ...optionParts(sequence.options)].join(' ')
      const relation = numbers.numberOf('sequence', schema, sequence.name)
      const preset = presetNumbers({ relation })
      steps.set(address, [`${preset}${create}; grant select on sequence ${address} to ${role}`])
    }
  }
  return [...steps.values()]
}

/** Steps after the tables: the column owns its sequence. */
export function ownershipSteps(
  connection: VisibleConnection,
  table: VisibleTable,
  address: string,
): readonly (readonly string[])[] {
  return table.columns.flatMap((column) => {
    const { name, use } = mirrorSequence(connection, table, column) ?? {}
    if (name === undefined || use !== 'owned') return []
    const sequence = `${quoteName(connection.name)}.${quoteName(name)}`
    return [[`alter sequence ${sequence} owned by ${address}.${quoteName(column.column.name)}`]]
  })
}

const largest: Readonly<Record<string, string>> = {
  smallint: '32767',
  integer: '2147483647',
  bigint: '9223372036854775807',
}

function typeName(type: string): string {
  return type in largest ? type : 'bigint'
}

/** The options that are not the default of an ascending sequence. */
function optionParts(options: SequenceOptions): readonly string[] {
  const { type, start, increment, minimum, maximum, cache, cycles } = options
  return [
    ...numberPart('start with', start, '1'),
    ...numberPart('increment by', increment, '1'),
    ...numberPart('minvalue', minimum, '1'),
    ...numberPart('maxvalue', maximum, largest[type]),
    ...numberPart('cache', cache, '1'),
    ...(cycles ? ['cycle'] : []),
  ]
}

/** The text becomes a part of our SQL: a malicious database must not inject anything. */
function numberPart(words: string, text: string, usual: string | undefined): readonly string[] {
  return text === usual || !/^-?\d{1,19}$/.test(text) ? [] : [`${words} ${text}`]
}
