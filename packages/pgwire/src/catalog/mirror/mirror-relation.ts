/** @module SQL that creates the empty table of a visible table, or the view of a visible view. */
import type { VisibleColumn, VisibleConnection, VisibleTable } from '@engine/core/session'
import type { CatalogNumbers } from '../catalog-numbers.ts'
import { type MirrorDefault, mirrorDefault } from './mirror-default.ts'
import { mirrorSequence } from './mirror-sequence.ts'
import type { MirrorStep } from './mirror-step.ts'
import { builtinTypeName, typeName } from './mirror-types.ts'
import { keepViewFacts } from './mirror-view-facts.ts'
import { presetNumbers } from './preset-numbers.ts'
import { quoteName, quoteText } from './sql-text.ts'

/** Fewer details with each alternative: names of sequences, defaults and NOT NULL, the connection's own types. */
export function relationStep(
  connection: VisibleConnection,
  table: VisibleTable,
  numbers: CatalogNumbers,
): MirrorStep {
  const address = `${quoteName(connection.name)}.${quoteName(table.name)}`
  const { oid, rowType, rowArray } = numbers.tableNumbers(connection.name, table.name)
  const preset = (isStored: boolean) =>
    presetNumbers({ relation: oid, isStored, type: rowType, array: rowArray })
  const listed = (nameOf: typeof typeName, write: (name: string, type: string) => string) =>
    table.columns
      .map(({ column }) => write(quoteName(column.name), nameOf(connection, column.type)))
      .join(', ')
  if (table.kind === 'view') {
    const create = (nameOf: typeof typeName) => {
      const columns = listed(nameOf, (name, type) => `null::${type} as ${name}`)
      const create = `${preset(false)}create view ${address} as select ${columns} where false`
      return create + keepViewFacts(table, oid)
    }
    return [create(typeName), create(builtinTypeName)]
  }
  const plain = (name: string, type: string) => `${name} ${type}`
  const createPlain = (nameOf: typeof typeName) =>
    `${preset(true)}create table ${address} (${listed(nameOf, plain)})`
  const create = (hasSequences: boolean) => {
    const columns = table.columns.map((column) =>
      mirrorColumn({ connection, table, column, address, numbers, hasSequences }),
    )
    return [
      ...columns.flatMap(({ before }) => before),
      `${preset(true)}create table ${address} (${columns.map(({ sql }) => sql).join(', ')})`,
      ...columns.flatMap(({ after }) => after),
    ].join('; ')
  }
  return [
    ...new Set([create(true), create(false)]),
    createPlain(typeName),
    createPlain(builtinTypeName),
  ]
}

interface MirrorColumn {
  readonly sql: string
  /** Statements before and after that of the table: each relation has to be given its number right before. */
  readonly before: readonly string[]
  readonly after: readonly string[]
}

function mirrorColumn({
  connection,
  table,
  column: visible,
  address,
  numbers,
  hasSequences,
}: {
  readonly connection: VisibleConnection
  readonly table: VisibleTable
  readonly column: VisibleColumn
  readonly address: string
  readonly numbers: CatalogNumbers
  /** With the names and options of sequences. */
  readonly hasSequences: boolean
}): MirrorColumn {
  const { name, type, nullable } = visible.column
  const typeSql = typeName(connection, type)
  const byDefault = mirrorDefault(visible, {
    name: typeSql,
    isNumber: connection.types.typeByOid(type.oid)?.category === 'N',
    sequence: hasSequences ? mirrorSequence(connection, table, visible) : undefined,
    schema: connection.name,
  })
  const column = quoteName(name)
  const relation = numbers.numberOf('sequence', connection.name, table.name, name)
  const notNull = nullable ? '' : ' not null'
  const plain = { sql: `${column} ${typeSql}${notNull}`, before: [], after: [] }
  switch (byDefault.kind) {
    case 'none':
      return plain
    case 'clause':
      return { ...plain, sql: `${column} ${typeSql} ${byDefault.sql}${notNull}` }
    case 'identity':
      return {
        ...plain,
        after: [
          `alter table ${address} alter column ${column} set not null`,
          `${presetNumbers({ relation })}alter table ${address} alter column ${column} add ${byDefault.sql}`,
        ],
      }
    case 'serial':
      return serialColumn(byDefault, {
        schema: connection.name,
        table,
        column: name,
        address,
        relation,
      })
  }
}

/** `serial`, in its parts. */
function serialColumn(
  { typeName: type }: Extract<MirrorDefault, { readonly kind: 'serial' }>,
  {
    schema,
    table,
    column,
    address,
    relation,
  }: {
    readonly schema: string
    readonly table: VisibleTable
    readonly column: string
    readonly address: string
    readonly relation: number
  },
): MirrorColumn {
  const sequence = `${quoteName(schema)}.${quoteName(`${table.name}_${column}_seq`)}`
  return {
    sql: `${quoteName(column)} ${type} default nextval(${quoteText(sequence)}) not null`,
    before: [`${presetNumbers({ relation })}create sequence ${sequence} as ${type}`],
    after: [`alter sequence ${sequence} owned by ${address}.${quoteName(column)}`],
  }
}
