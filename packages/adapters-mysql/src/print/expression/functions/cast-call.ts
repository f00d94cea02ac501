import type { Sql } from '@engine/core/print'
import type { Cast, FunctionCall } from '@engine/core/tree'
import { type PrintContext, print } from '../../print-context.ts'

const castNames: ReadonlySet<string> = new Set([
  ...['bool', 'date', 'float4', 'float8', 'int2', 'int4', 'int8', 'text', 'numeric'],
  ...['time', 'timestamp', 'timestamptz'],
])

/** Casts in the form of a call: `int8(x)`; undefined for any other call. */
export function castCall(expression: FunctionCall, context: PrintContext): Sql | undefined {
  const { function: called, args, type } = expression
  const [operand] = args
  if (operand === undefined || args.length > 1 || !castNames.has(called.name)) return undefined
  const cast: Cast = { kind: 'cast', operand, type, method: 'function', isExplicit: true }
  return print(cast, context)
}
