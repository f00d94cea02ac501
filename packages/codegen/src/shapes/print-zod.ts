/** @module Shape → zod schema. */
import { keyName, literal } from '../names/literal.ts'
import type { Shape } from './shape.ts'

/** @param indent blanks before its first line. */
export function printZod(
  shape: Shape,
  indent: string,
  schemaName: (definition: string) => string,
): string {
  const inner = (part: Shape) => printZod(part, indent, schemaName)
  switch (shape.kind) {
    case 'literal':
      return `z.literal(${typeof shape.value === 'string' ? literal(shape.value) : shape.value})`
    case 'array':
      return `z.array(${inner(shape.item)})`
    case 'tuple': {
      const items = `[${shape.items.map(inner).join(', ')}]`
      return shape.rest === undefined
        ? `z.tuple(${items})`
        : `z.tuple(${items}, ${inner(shape.rest)})`
    }
    case 'object':
      return printObject(shape, indent, schemaName)
    case 'union':
      return `z.union([${shape.members.map(inner).join(', ')}])`
    case 'intersection':
      return shape.members.map(inner).reduce((left, right) => `z.intersection(${left}, ${right})`)
    case 'reference':
      return schemaName(shape.name)
    default:
      return `z.${shape.kind}()`
  }
}

function printObject(
  { properties, others }: Extract<Shape, { readonly kind: 'object' }>,
  indent: string,
  schemaName: (definition: string) => string,
): string {
  if (properties.length === 0) {
    return others === undefined
      ? 'z.object({})'
      : `z.record(z.string(), ${printZod(others, indent, schemaName)})`
  }
  const inside = `${indent}  `
  const lines = properties.map(({ name, shape, isOptional }) => {
    const end = isOptional ? '.optional()' : ''
    return `${inside}${keyName(name)}: ${printZod(shape, inside, schemaName)}${end},`
  })
  const object = ['z.object({', ...lines, `${indent}})`].join('\n')
  return others === undefined ? object : `${object}.catchall(z.unknown())`
}
