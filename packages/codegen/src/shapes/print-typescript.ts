/** @module Shape → type. */
import { commentText, literal, propertyName } from '../names/literal.ts'
import type { Shape, ShapeProperty } from './shape.ts'

export interface PrintTypeOptions {
  /** A key that may be missing may be `undefined` too, as zod has it. */
  readonly allowsUndefined?: boolean
}

/** The type of a shape. @param indent blanks before the line that it begins on. */
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
    return others === undefined
      ? 'Record<string, never>'
      : `Record<string, ${printType(others, indent, options)}>`
  }
  const inside = `${indent}  `
  const lines = properties.map((property) => printProperty(property, inside, options))
  // The listed keys are keys too: whatever they are, the index must allow.
  const index = others === undefined ? [] : [`${inside}[key: string]: unknown`]
  return ['{', ...lines, ...index, `${indent}}`].join('\n')
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
