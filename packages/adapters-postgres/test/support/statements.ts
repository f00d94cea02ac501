export { executionOf } from '@engine/adapter-conformance'

import type { CompiledStatement, PlanStep } from '@engine/core/adapter'
import { createTypeSystem, type SqlType, type TypeSystem } from '@engine/core/catalog'
import { nativeStatement } from '../../src/driver/native-statement.ts'

const builtinTypes = createTypeSystem()

export interface StatementOptions {
  /** Oids of the result columns `a`, `b` ... */
  readonly columns?: readonly number[]
  /** Oids of the parameters. */
  readonly parameters?: readonly number[]
  readonly isWrite?: boolean
  /** It may share its transaction. */
  readonly isPlainInsert?: boolean
  readonly yields?: PlanStep['yields']
  readonly checkColumn?: number
  readonly visibleColumn?: number
  readonly types?: TypeSystem
}

/** A statement as the compiler would return it, with SQL of the test. */
export function statementOf(sql: string, options: StatementOptions = {}): CompiledStatement {
  const { columns = [], parameters = [], isPlainInsert = false } = options
  const { isWrite = isPlainInsert } = options
  return nativeStatement(
    {
      steps: [
        {
          sql,
          parameters: parameters.map((oid, index) => ({
            from: 'request',
            index,
            type: typeOf(oid),
          })),
          yields: options.yields ?? (isWrite ? 'affected' : 'result'),
          checkColumn: options.checkColumn,
          visibleColumn: options.visibleColumn,
        },
      ],
      columns: columns.map((oid, index) => ({
        name: String.fromCharCode(97 + index),
        type: typeOf(oid),
      })),
      isWrite,
      isPlainInsert,
    },
    options.types ?? builtinTypes,
  )
}

function typeOf(oid: number): SqlType {
  return { oid, typmod: -1 }
}
