import { type Sql, sql } from '@engine/core/print'
import type { FunctionCall } from '@engine/core/tree'
import { constantText } from '../../constant-text.ts'
import { call, nullSql, type PrintContext, refuse } from '../../print-context.ts'
import { canBind } from '../binding/can-bind.ts'
import { letValues } from '../binding/let-binding.ts'
import { outputForm } from '../forms/text-form.ts'
import { quotedLiteral } from './functions-text.ts'

/** format() of a constant template with `%s`, `%L` and `%%`. */
export function formatText({ args, position }: FunctionCall, context: PrintContext): Sql {
  const [template, ...values] = args
  const text = template?.kind === 'constant' ? template.value : undefined
  if (typeof text !== 'string')
    return refuse('format with a template that is not constant', position)
  const pieces = text.split(/(%.?)/s)
  let used = 0
  const parts = pieces.map((piece): Sql => {
    if (!piece.startsWith('%')) return constantText(piece)
    if (piece === '%%') return constantText('%')
    const value = values[used]
    used += 1
    if (value === undefined || (piece !== '%s' && piece !== '%L')) {
      return refuse('format with such a template', position)
    }
    const isNull = value.kind === 'constant' && value.value === null
    const shown = isNull ? nullSql : outputForm(value, context)
    if (piece === '%s') return sql`coalesce(${shown}, '')`
    return letValues(
      [{ value: shown, kind: 'text' }],
      context,
      canBind(value),
      (name = nullSql) => sql`coalesce(${quotedLiteral(name)}, 'NULL')`,
    )
  })
  return call('concat', ...parts)
}
