/** @module Statements in compiled form that no client sent. */
import type { CompiledStatement, Execution, PlanStep, SqlValue } from '@engine/core/adapter'
import { oids, type SqlType } from '@engine/core/catalog'

export type TypeName = keyof typeof oids

export function typeOf(name: TypeName, typmod = -1): SqlType {
  return { oid: oids[name], typmod }
}

export interface StepOptions extends Partial<PlanStep> {
  readonly sql: string
}

/** A statement of one or several steps; each type is that of one `$n` in every step. */
export function statement(
  steps: string | readonly StepOptions[],
  columns: Columns = {},
  options: Partial<CompiledStatement> & { readonly parameters?: readonly TypeName[] } = {},
): CompiledStatement {
  const { parameters = [], ...rest } = options
  const sources = parameters.map((name, index) => ({
    from: 'request' as const,
    index,
    type: typeOf(name),
  }))
  const list = typeof steps === 'string' ? [{ sql: steps }] : steps
  const named = isList(columns) ? columns : Object.entries(columns)
  return {
    steps: list.map((step) => ({
      parameters: sources,
      yields: 'result',
      checkColumn: undefined,
      visibleColumn: undefined,
      ...step,
    })),
    needsTransaction: false,
    isWrite: false,
    columns: named.map(([name, type]) => ({
      name,
      type: typeof type === 'string' ? typeOf(type) : type,
    })),
    hints: undefined,
    ...rest,
  }
}

/** Names and types; as a list when a name occurs twice. */
type Columns =
  | Readonly<Record<string, SqlType | TypeName>>
  | readonly (readonly [string, TypeName])[]

function isList(columns: Columns): columns is readonly (readonly [string, TypeName])[] {
  return Array.isArray(columns)
}

/** A write of one step that counts its rows. */
export function write(sql: string, parameters: readonly TypeName[] = []): CompiledStatement {
  return statement([{ sql, yields: 'affected' }], {}, { isWrite: true, parameters })
}

export function execution(
  compiled: CompiledStatement,
  values: readonly SqlValue[] = [],
  options: Partial<Execution> = {},
): Execution {
  return {
    statement: compiled,
    values: compiled.steps.map((step) =>
      step.parameters.map((source) =>
        source.from === 'request' ? (values[source.index] ?? null) : null,
      ),
    ),
    rowShape: 'array',
    maxRows: 10_000,
    timeoutMs: 30_000,
    signal: undefined,
    ...options,
  }
}
