/** @module A table as one caller may see it. */
import {
  allOf,
  type CellTable,
  isOpen,
  type PrintedTable,
  printCellTable,
  printOpenTable,
  type Sql,
  sql,
} from '@engine/core/print'
import {
  type Expression,
  freeRelationsOf,
  type Locking,
  type SecuredTable,
} from '@engine/core/tree'
import { printFilter } from '../expression/print-filter.ts'
import type { PrintContext } from '../print-context.ts'
import { tableDialect } from './base-table.ts'
import { printLocking } from './print-locking.ts'
import { printPolicyFilter } from './print-policy-filter.ts'

export interface NarrowedParts {
  /** The key of the rows, under the table's alias: becomes `k1` ... */
  readonly key?: (alias: Sql) => readonly Sql[]
  /** Expressions on the raw row that become `o1` ... next to its cells. */
  readonly raw?: readonly Expression[]
  /** The rows are locked: FOR UPDATE, or as in the clause. The clause is inside, at the table. */
  readonly locks?: boolean | Pick<Locking, 'strength' | 'wait'>
}

/** The table itself where nothing is hidden; otherwise a derived table of the used cells. */
export function printSecuredTable(
  item: SecuredTable,
  context: PrintContext,
  locks: NarrowedParts['locks'] = false,
): PrintedTable {
  return isOpen(item)
    ? printOpenTable(item, context, tableDialect)
    : printNarrowedTable(item, context, { locks })
}

/** The derived table of the used cells. */
export function printNarrowedTable(
  item: SecuredTable,
  context: PrintContext,
  { key = () => [], raw = [], locks = false }: NarrowedParts = {},
): CellTable {
  return printCellTable(item, context, tableDialect, {
    where: () =>
      allOf([
        item.filter && printPolicyFilter(item.filter, context),
        ...visiblePushed(item, context).map((each) => printFilter(each, context)),
      ]),
    key,
    raw,
    ending: () => {
      const clause = locks === true ? forUpdate : locks
      return clause === false ? sql`` : printLocking(clause, context)
    },
  })
}

const forUpdate = { strength: 'update', wait: 'block' } as const

/** Conditions of the client that can be inside: MariaDB's derived tables do not see outer columns. */
function visiblePushed(
  { base, pushed }: SecuredTable,
  { traits }: PrintContext,
): readonly Expression[] {
  if (traits.derivedSeesOutside) return pushed
  return pushed.filter((each) => freeRelationsOf(each).isSubsetOf(new Set([base])))
}
