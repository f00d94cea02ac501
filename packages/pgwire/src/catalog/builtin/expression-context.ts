/** @module The names that an expression may use, and the types that it infers for parameters. */

import type { TypeSystem } from '@engine/core/catalog'
import type { Oid } from '@engine/core/values'
import type { BuiltinColumn, Cell, Evaluated } from './evaluated.ts'
import type { BuiltinScope } from './session-functions.ts'

export interface ExpressionContext {
  readonly types: TypeSystem
  readonly scope: BuiltinScope
  /** Columns of all tables in FROM, in the order of their cells. */
  readonly columns: readonly ScopeColumn[]
  /** Remembers the type of `$n` when it is asked for the first time. */
  readonly parameterOid: (number: number, expected: Oid | undefined) => Oid
  /** Set only while the statement runs. */
  readonly parameterValue: (number: number) => Cell
}

export interface ScopeColumn extends BuiltinColumn {
  readonly table: string
}

/** Evaluates a part of an expression; `expected` is the type that a literal or parameter gets there. */
export type Evaluate = (tree: unknown, context: ExpressionContext, expected?: Oid) => Evaluated
