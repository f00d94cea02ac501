/**
 * @module SQL for a server without the adapter's functions. Calls of some of them are rewritten with SQLite's own functions; a
 * statement that needs another is refused.
 */
import { rewriteSql, type Sql, sql } from '@engine/core/print'
import { unsupportedConstruct } from '@engine/core/tree'
import { mostRepeated, namedOperandsOf } from '../let-binding.ts'
import { callOf } from '../print-context.ts'
import { type Macro, macros } from './macros.ts'
import { createNaming, type Naming } from './name-operands.ts'
import { missing } from './require-built-in.ts'

/**
 * The same SQL without the adapter's functions.
 *
 * @param available the functions of the server, in lower case
 * @param database for the message
 * @throws {GatewayError} `unsupported` for a statement that needs one of them.
 */
export function withBuiltInFunctions(
  fragment: Sql,
  available: ReadonlySet<string>,
  database: string,
): Sql {
  const inSubquery = createNaming()
  const names = new Map<Sql, Sql>()
  return rewriteSql(fragment, (part, again) => {
    const name = names.get(part)
    if (name !== undefined) return name
    const operands = namedOperandsOf(part)
    if (operands !== undefined) {
      const bind = (...forms: readonly Sql[]) => {
        for (const [index, each] of operands.names.entries()) {
          names.set(each, forms[index] ?? each)
        }
        return again(operands.body)
      }
      const values = operands.values.map(again)
      const isFixed = operands.body.isBoundToLevel || values.some((each) => each.isBoundToLevel)
      return isFixed ? bind(...values) : inSubquery(values, bind)
    }
    const called = callOf(part)
    if (called === undefined) return undefined
    const macro = macros.get(called.name)
    if (macro !== undefined) {
      const args = called.args.map(again)
      if (subqueries.has(called.name) && args.some((each) => each.isBoundToLevel)) {
        throw unsupportedConstruct(
          'numeric values of window functions or count(*)',
          database,
          undefined,
        )
      }
      return expanded(macro, args, inSubquery, subqueries.has(called.name))
    }
    if (!available.has(called.name)) throw missing(called.name, database)
    return undefined
  })
}

/** Macros with a subquery around their arguments, in which a window call or `count(*)` would see other rows. */
const subqueries: ReadonlySet<string> = new Set(
  'dec_fit dec_round dec_mul dec_add dec_sub dec_cmp'.split(' '),
)

/**
 * Names a long argument that the macro writes several times.
 *
 * @param isDeep the macro consists of nested subqueries, which must not contain long arguments
 */
function expanded(macro: Macro, args: readonly Sql[], inSubquery: Naming, isDeep: boolean): Sql {
  const made = sql`(${macro(...args)})`
  // The macro would be in the subquery, too: so none of its arguments may be bound to its level.
  if (args.every(({ size }) => size <= mostRepeated) || made.isBoundToLevel) return made
  const isNamed = args.map(
    (each) => each.size > mostRepeated && (isDeep || usesOf(each, made, args) > 1),
  )
  const values = args.filter((_, index) => isNamed[index])
  if (values.length === 0) return made
  return inSubquery(values, (...names) => {
    const left = [...names]
    return macro(...args.map((each, index) => (isNamed[index] ? (left.shift() ?? each) : each)))
  })
}

/** The number of uses of an argument in an expanded macro. */
function usesOf(argument: Sql, made: Sql, args: readonly Sql[]): number {
  if (made === argument) return 1
  if (made.size < argument.size || args.includes(made)) return 0
  let uses = 0
  for (const piece of made.pieces) {
    if (typeof piece === 'object' && 'pieces' in piece) uses += usesOf(argument, piece, args)
  }
  return uses
}
