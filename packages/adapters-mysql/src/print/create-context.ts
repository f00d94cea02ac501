import { Relations } from './memo.ts'
import type { PrintContext } from './print-context.ts'
import { decimalText } from './print-decimal.ts'
import { printExpression } from './print-expression.ts'
import { printQuery } from './print-query.ts'

export interface ContextParts
  extends Pick<PrintContext, 'flavor' | 'types' | 'tables' | 'usedColumns'> {
  /** The first number that is free. */
  readonly nextId: number
  /** The table that is written to, by its name in the database. */
  readonly written?: string | undefined
}

/** FROM items are called t1, t2 ..., unless the written table, which may have no other name, is called so. */
export function createContext({ nextId: first, written, ...parts }: ContextParts): PrintContext {
  const isTaken = written !== undefined && /^t\d+$/i.test(written)
  let nextId = first
  return {
    ...parts,
    relations: new Relations(),
    ctes: new Map(),
    aliasPrefix: isTaken ? 'r' : 't',
    oldConditions: [],
    nextId: () => nextId++,
    printExpression,
    printDecimalText: decimalText,
    printQuery,
  }
}
