/** @module How PostgreSQL writes the rows of a view, from its rule, its triggers and the table that its columns come from. */
import type { IntrospectedTable } from '@engine/core/adapter'
import type { ViewColumnRow, ViewRow, ViewRuleRow } from './view-queries.ts'
import { hasNoCondition, viewTargets } from './view-targets.ts'

/** A column of a table that is no view. */
export interface Origin {
  readonly relation: string
  readonly number: number
  readonly schema: string
  readonly name: string
  readonly column: string
}

type ViewWrites = NonNullable<IntrospectedTable['viewWrites']>

/** Bits of `pg_relation_is_updatable`. */
const commands = { insert: 8, update: 4, delete: 16 } as const

/** By view, then by number: the columns of tables that the columns of views show, through views between them. */
export function originsOf(
  rows: readonly ViewColumnRow[],
): ReadonlyMap<string, ReadonlyMap<number, Origin>> {
  const next = new Map(rows.map((row) => [keyOf(row.relation, row.number), row]))
  const origins = new Map<string, Map<number, Origin>>()
  for (const row of rows) {
    let last = row
    for (
      let below = next.get(keyOf(last.origin, last.originNumber));
      below !== undefined;
      below = next.get(keyOf(last.origin, last.originNumber))
    ) {
      last = below
    }
    const columns = origins.get(row.relation) ?? new Map<number, Origin>()
    columns.set(row.number, {
      relation: last.origin,
      number: last.originNumber,
      schema: last.originSchema,
      name: last.originName,
      column: last.originColumn,
    })
    origins.set(row.relation, columns)
  }
  return origins
}

function keyOf(relation: string, number: number): string {
  return `${relation}.${number}`
}

/** Of the views that PostgreSQL writes on a table: those that show every row of it, through views between them. */
export function viewsOfEveryRow(rules: readonly ViewRuleRow[]): ReadonlySet<string> {
  const views = new Map(
    rules.map(({ relation, rule }) => [
      relation,
      { isWhole: hasNoCondition(rule), below: viewTargets(rule)[0]?.origin },
    ]),
  )
  const showsAll = (relation: string): boolean => {
    const view = views.get(relation)
    if (view === undefined) return true
    return view.isWhole && view.below !== undefined && showsAll(view.below)
  }
  return new Set([...views.keys()].filter(showsAll))
}

/** The commands of a sum of bits, as in `ViewRow`; undefined without any. */
export function ruledWrites(bits: number | undefined): IntrospectedTable['ruledWrites'] {
  if (bits === undefined) return undefined
  return (['insert', 'update', 'delete'] as const).filter((name) => (bits & commands[name]) !== 0)
}

/** @param facts `columns`: those that PostgreSQL can write, the names of the table's columns by their names. */
export function viewWrites(
  { automatic, possible, ruled, triggered }: ViewRow,
  facts: Pick<ViewWrites, 'columns' | 'base' | 'showsEveryRow' | 'keys'>,
): ViewWrites {
  const method = (command: number): ViewWrites['insert'] => {
    if ((possible & command) === 0) return 'none'
    if ((ruled & command) !== 0) return 'rule'
    if ((triggered & command) !== 0) return 'trigger'
    return (automatic & command) === 0 ? 'none' : 'table'
  }
  return {
    insert: method(commands.insert),
    update: method(commands.update),
    delete: method(commands.delete),
    ...facts,
  }
}
