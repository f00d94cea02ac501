/** @module SQL that keeps what is known of a view besides its columns. */
import type { VisibleTable } from '@engine/core/session'
import { quoteText } from './sql-text.ts'

/**
 * A row for each piece of a fact about a view. Rows hold some thousand bytes, since the table has no place for long values.
 * Facts: `text` and `pretty`, its query; `automatic` and `possible`, what can be written, without and with triggers, as bits; the
 * same with the number of a column, whether it can be updated.
 */
export const viewFactsTable = 'pg_catalog.engine_view'

type Writes = NonNullable<VisibleTable['writes']>

/** As `pg_relation_is_updatable` counts them. */
const bits = { update: 4, insert: 8, delete: 16 } as const

/** `; insert into …`, or nothing. */
export function keepViewFacts({ definition, writes, columns }: VisibleTable, oid: number): string {
  const facts = [
    ...(definition === undefined ? [] : Object.entries(definition)),
    ...(writes === undefined ? [] : writeFacts(writes, columns)),
  ]
  const rows = facts.flatMap(([fact, value]) =>
    piecesOf(value).map(
      (piece, place) => `(${oid}, ${quoteText(fact)}, ${place}, ${quoteText(piece)})`,
    ),
  )
  return rows.length === 0 ? '' : `; insert into ${viewFactsTable} values ${rows.join(', ')}`
}

function piecesOf(text: string): readonly string[] {
  return text.match(/.{1,1500}/gsu) ?? []
}

/** A column counts as updatable where its rows can be updated and deleted, as PostgreSQL says. */
function writeFacts(
  writes: Writes,
  columns: VisibleTable['columns'],
): readonly (readonly [fact: string, value: string])[] {
  const kinds = [
    ['automatic', ['table', 'rule']],
    ['possible', ['table', 'rule', 'trigger']],
  ] as const
  return kinds.flatMap(([kind, methods]) => {
    const can = (operation: keyof typeof bits) => methods.some((each) => each === writes[operation])
    const sum = (['update', 'insert', 'delete'] as const)
      .filter(can)
      .reduce((total, operation) => total + bits[operation], 0)
    const isChangeable = can('update') && can('delete')
    const isStored = (name: string) => writes.update !== 'table' || writes.columns.includes(name)
    return [
      [kind, String(sum)],
      ...columns.map(({ column }, place): readonly [string, string] => [
        `${kind} ${place + 1}`,
        String(isChangeable && isStored(column.name)),
      ]),
    ]
  })
}
