/** @module Column defaults as values, where the database's own SQL for them is a plain literal. */
import type { TypeClass } from './type-class.ts'

/** The canonical text of a SQL literal; undefined for any other text. */
export function literalDefault(text: string, typeClass: TypeClass): string | undefined {
  const quoted = /^'((?:[^']|'')*)'$/.exec(text)?.[1]?.replaceAll("''", "'")
  switch (typeClass) {
    case 'bool':
      if (/^(true|1)$/i.test(text)) return 'true'
      return /^(false|0)$/i.test(text) ? 'false' : undefined
    case 'int2':
    case 'int4':
    case 'int8':
      return /^-?\d{1,18}$/.test(text) ? text : undefined
    case 'numeric':
      return /^-?\d+(\.\d+)?$/.test(quoted ?? text) ? (quoted ?? text) : undefined
    case 'float4':
    case 'float8':
      return /^-?\d+(\.\d+)?$/.test(text) ? text : undefined
    case 'text':
    case 'json':
    case 'jsonb':
      return quoted
    case 'date':
      return quoted !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(quoted) ? quoted : undefined
    default:
      return undefined
  }
}
