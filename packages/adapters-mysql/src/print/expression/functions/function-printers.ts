/** @module The types of the tables of functions. */

import type { Sql } from '@engine/core/print'
import type { FunctionCall } from '@engine/core/tree'
import type { PrintContext } from '../../print-context.ts'

/** `args` in the form of expressions; the call itself where types matter. */
export type CallPrinter = (
  args: readonly Sql[],
  expression: FunctionCall,
  context: PrintContext,
) => Sql

/** By signature as in PgFunction, or by name where all overloads are printed alike. */
export type CallPrinters = Readonly<Record<string, CallPrinter>>
