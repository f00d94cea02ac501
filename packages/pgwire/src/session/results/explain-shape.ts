import { unreachable } from '@engine/core/server'
import type { PlanLineOptions } from '@engine/core/session'
import { type ResultShape, textShape } from './result-shape.ts'

/** One column; a whole document is one row of it. */
export function explainShape(format: PlanLineOptions['format']): ResultShape {
  const shape = textShape(['QUERY PLAN'])
  const typeOid = typeOidOf(format)
  return { ...shape, fields: shape.fields.map((field) => ({ ...field, typeOid })) }
}

/** All of them are text in the binary format as well. */
function typeOidOf(format: PlanLineOptions['format']): number {
  switch (format) {
    case 'json':
      return 114
    case 'xml':
      return 142
    case 'text':
    case 'yaml':
      return 25
    default:
      return unreachable(format)
  }
}
