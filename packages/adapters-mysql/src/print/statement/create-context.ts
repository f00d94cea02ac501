import type { startContext } from '@engine/core/adapter'
import type { Flavor } from '../../flavor.ts'
import { decimalText } from '../expression/numeric/print-decimal.ts'
import { printExpression } from '../expression/print-expression.ts'
import { Relations } from '../memo.ts'
import type { PrintContext } from '../print-context.ts'
import { printQuery } from '../query/print-query.ts'

/** The context of a statement of which nothing is printed yet. */
export function createContext(
  started: ReturnType<typeof startContext>,
  flavor: Flavor,
): PrintContext {
  return {
    ...started,
    flavor,
    relations: new Relations(),
    ctes: new Map(),
    printExpression,
    printDecimalText: decimalText,
    printQuery,
  }
}
