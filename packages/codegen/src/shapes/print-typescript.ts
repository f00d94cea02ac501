/** @module Shape → type. */
import { commentText, literal, propertyName } from '../names/literal.ts'
import type { Shape, ShapeProperty } from './shape.ts'

export interface PrintTypeOptions {
  /** An optional key may also be `undefined`, as in zod. */
  readonly allowsUndefined?: boolean
}

/** The type of a shape. @param indent blanks before its first line. */
export function printType(shape: Shape, indent: string, options: PrintTypeOptions = {}): string {
  const inner = (part: Shape) => printType(part, indent, options)
  switch (shape.kind) {
    case 'literal':
      return typeof shape.value === 'string' ? literal(shape.value) : String(shape.value)
    case 'array':
      return `${atom(shape.item, inner)}[]`
    case 'tuple': {
      const rest = shape.rest === undefined ? [] : [`...${atom(shape.rest, inner)}[]`]
      return `[${[...shape.items.map(inner), ...rest].join(', ')}]`
    }
    case 'object':
      return printObject(shape, indent, options)
    case 'union':
      return shape.members.map((member) => atom(member, inner)).join(' | ')
    case 'intersection':
      return shape.members.map((member) => atom(member, inner)).join(' & ')
    case 'reference':
      return shape.name
    default:
      return shape.kind
  }
}

function atom(shape: Shape, print: (shape: Shape) => string): string {
  const isCompound = shape.kind === 'union' || shape.kind === 'intersection'
  return isCompound ? `(${print(shape)})` : print(shape)
}

function printObject(
  { properties, others }: Extract<Shape, { readonly kind: 'object' }>,
  indent: string,
  options: PrintTypeOptions,
): string {
  if (properties.length === 0) {
    if (others === undefined) return 'Record<string, never>'
    const type = printType(others, indent, options)
    // A type may refer to itself through an index, but not through the name of another type.
    return holdsReference(others) ? `{ [key: string]: ${type} }` : `Record<string, ${type}>`
  }
  const inside = `${indent}  `
  const lines = properties.map((property) => printProperty(property, inside, options))
  // The listed keys are keys too: the index must allow their types.
  const index = others === undefined ? [] : [`${inside}[key: string]: unknown`]
  return ['{', ...lines, ...index, `${indent}}`].join('\n')
}

function holdsReference(shape: Shape): boolean {
  switch (shape.kind) {
    case 'reference':
      return true
    case 'array':
      return holdsReference(shape.item)
    case 'tuple':
      return [...shape.items, ...(shape.rest === undefined ? [] : [shape.rest])].some(
        holdsReference,
      )
    case 'object': {
      const others = shape.others === undefined ? [] : [shape.others]
      return [...shape.properties.map((property) => property.shape), ...others].some(holdsReference)
    }
    case 'union':
    case 'intersection':
      return shape.members.some(holdsReference)
    default:
      return false
  }
}

function printProperty(
  { name, shape, isOptional, description }: ShapeProperty,
  indent: string,
  options: PrintTypeOptions,
): string {
  const comment = description === undefined ? '' : `${indent}/** ${commentText(description)} */\n`
  const type = printType(shape, indent, options)
  const end = isOptional && options.allowsUndefined === true ? ' | undefined' : ''
  return `${comment}${indent}${propertyName(name)}${isOptional ? '?' : ''}: ${type}${end}`
}
