import type { startContext } from '@engine/core/print'
import type { ServerTraits } from '../../server/server-traits.ts'
import { decimalText } from '../expression/numeric/print-decimal.ts'
import { printExpression } from '../expression/print-expression.ts'
import { Relations } from '../memo.ts'
import type { PrintContext } from '../print-context.ts'
import { printQuery } from '../query/print-query.ts'

/** The context of a statement of which nothing is printed yet. */
export function createContext(
  started: ReturnType<typeof startContext>,
  traits: ServerTraits,
): PrintContext {
  return {
    ...started,
    traits,
    relations: new Relations(),
    derived: new Set(),
    ctes: new Map(),
    printExpression,
    printDecimalText: decimalText,
    printQuery,
  }
}
