import type { RowExpr } from '@pgsql/types'
import { positioned } from '../../sql/bind-error.ts'
import { oids } from '../../sql-types/oids.ts'
import { resolveUnknown } from '../coercion/coerce.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import { undeterminedParameter } from '../scope/parameter-types.ts'
import { type BindNode, onlyFields } from '../scope/syntax-node.ts'
import type { Row } from '../tree/expression.ts'

/** `(a, b)` or `row(a, b)` as one value. A literal in it is text, a parameter stays untyped. */
export function bindRow(node: RowExpr, environment: ExpressionEnvironment, bind: BindNode): Row {
  onlyFields(node, 'a row', ['args', 'row_format', 'location'])
  const fields = (node.args ?? []).map((arg) => {
    const field = bind(arg, environment)
    if (field.kind === 'parameter' && field.type.oid === oids.unknown) {
      throw undeterminedParameter(field.index, field.position)
    }
    return resolveUnknown(field, environment)
  })
  return {
    kind: 'row',
    fields,
    type: { oid: oids.record, typmod: -1 },
    ...positioned(node.location),
  }
}
