/** @module Columns of FROM in the RETURNING of an UPDATE: SQLite shows it the written table only, so they are kept aside. */
import {
  type ColumnReference,
  type Expression,
  type FromItem,
  mapExpression,
  type RelationId,
  type Sql,
  visitExpression,
} from '@engine/core'
import { elementOfJson } from './array-element.ts'
import { anyValue, type PrintContext } from './print-context.ts'
import { keptItem } from './write-target.ts'

export interface ForeignColumn {
  readonly reference: ColumnReference
  /** Stands for the kept value in RETURNING. */
  readonly relation: RelationId
}

/** References of RETURNING to the tables of FROM. */
export function foreignColumns(
  outputs: readonly Expression[],
  from: readonly FromItem[],
): readonly ColumnReference[] {
  const own = new Set(from.flatMap(idsOf))
  const found = new Map<string, ColumnReference>()
  for (const output of outputs) {
    visitExpression(output, {
      expression: (each) => {
        if (each.kind === 'column' && own.has(each.relation)) {
          found.set(`${each.relation}.${each.column}`, each)
        }
      },
    })
  }
  return [...found.values()]
}

function idsOf(item: FromItem): readonly RelationId[] {
  return item.kind === 'join' ? [...idsOf(item.left), ...idsOf(item.right)] : [item.id]
}

/** RETURNING with the kept values in place of the columns. */
export function withKept(output: Expression, foreign: readonly ForeignColumn[]): Expression {
  return mapExpression(output, {
    expression: (each) => {
      if (each.kind !== 'column') return each
      const kept = foreign.find(
        ({ reference }) => reference.relation === each.relation && reference.column === each.column,
      )
      return kept === undefined ? each : { ...each, relation: kept.relation, column: 0 }
    },
  })
}

/** Kept values begin at `from` in each kept row. */
export function nameKept(
  alias: Sql,
  from: number,
  foreign: readonly ForeignColumn[],
  context: PrintContext,
): void {
  for (const [index, { reference, relation }] of foreign.entries()) {
    const item = keptItem(alias, from + index)
    const value = elementOfJson(item, reference.type, context, reference.position)
    context.relations.set(relation, { column: () => ({ ...anyValue, sql: value, isBare: false }) })
  }
}
