/** @module The statements sent to a database: SQL, and the source of each parameter. */

import type { SentParameter, SentStatement } from '@engine/contract/admin-api'
import type { CompiledStatement } from '../../compiler/plan/plan.ts'
import { oids } from '../../compiler/sql-types/oids.ts'
import type { TypeSystem } from '../../compiler/sql-types/system/type-system.ts'
import type { SqlValue, ValueSource } from '../../compiler/sql-types/value-source.ts'
import { unreachable } from '../../foundation/unreachable.ts'
import { momentName } from './describe-expression.ts'
import { fieldName } from './permission-verdicts.ts'

/** @param values as they would be sent, or undefined where they must not be shown. */
export function sentStatements(
  compiled: CompiledStatement,
  values: readonly (readonly SqlValue[])[] | undefined,
  types: TypeSystem,
): readonly SentStatement[] {
  return compiled.steps.map(({ sql = '', yields, parameters }, s) => ({
    sql,
    yields,
    parameters: parameters.map((source, i): SentParameter => {
      const value = source.from === 'step' ? undefined : values?.[s]?.[i]
      const described = describeSource(source, types)
      return { index: i + 1, ...described, ...(value === undefined ? {} : { value }) }
    }),
  }))
}

function describeSource(
  source: ValueSource,
  types: TypeSystem,
): Pick<SentParameter, 'from' | 'source' | 'type'> {
  const typeText = ({ oid, typmod }: { readonly oid: number; readonly typmod: number }) =>
    types.formatType(oid, typmod)
  switch (source.from) {
    case 'request':
      return { from: 'request', source: `$${source.index + 1}`, type: typeText(source.type) }
    case 'clampedLimit':
      return {
        from: 'request',
        source: `$${source.index + 1}, at most ${source.max}`,
        type: types.formatType(oids.int8),
      }
    case 'caller':
      return { from: 'caller', source: fieldName(source.slot), type: typeText(source.slot.type) }
    case 'constant':
      return { from: 'constant', source: 'constant', type: typeText(source.type) }
    case 'requestTime':
      return {
        from: 'requestTime',
        source: momentName(source),
        type: typeText(source.type),
      }
    case 'step':
      return { from: 'step', source: `rows of statement ${source.step + 1}`, type: 'json' }
    default:
      return unreachable(source)
  }
}
