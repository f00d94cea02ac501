/** @module JSON Schema of draft 2020-12 → shape. Keywords that a type cannot express (`minLength`) are left out. */
import type { JsonSchema } from '@engine/contract'
import { pascalCase } from '../names/identifier.ts'
import type { NameSpace } from '../names/name-space.ts'
import {
  type Definition,
  intersection,
  neverShape,
  nullShape,
  type Shape,
  type ShapeProperty,
  union,
  unknownShape,
} from './shape.ts'

/** A schema as a shape, and the definitions that it refers to. */
export interface ShapedSchema {
  readonly shape: Shape
  readonly definitions: readonly Definition[]
}

/**
 * @param name prefix of the definitions
 * @param names assigns each definition its name
 */
export function shapeOfSchema(schema: JsonSchema, name: string, names: NameSpace): ShapedSchema {
  const found = new Map<string, { readonly name: string; shape: Shape }>()
  const context: Context = {
    root: schema,
    define: (pointer, open) => {
      const known = found.get(pointer)
      if (known !== undefined) return { kind: 'reference', name: known.name }
      const target = resolve(schema, pointer)
      if (target === undefined) return unknownShape
      const last = pointer.split('/').at(-1) ?? ''
      const definition = {
        name: names.take(pointer === '#' ? name : `${name}${pascalCase(last, 'Part')}`),
        shape: unknownShape,
      }
      found.set(pointer, definition)
      definition.shape = shapeOf(target, context, new Set([...open, pointer]))
      return { kind: 'reference', name: definition.name }
    },
  }
  const shape = shapeOf(schema, context, new Set(['#']))
  return { shape, definitions: [...found.values()] }
}

interface Context {
  readonly root: JsonSchema
  /**
   * Returns the shape of a `$ref`, under a name.
   *
   * @param open pointers whose shape is being built: such a shape would contain itself.
   */
  define(pointer: string, open: ReadonlySet<string>): Shape
}

/** A property or an item may contain its own type again, so the set starts empty there. */
const nothingOpen: ReadonlySet<string> = new Set()

function shapeOf(schema: unknown, context: Context, open: ReadonlySet<string>): Shape {
  if (schema === false) return neverShape
  if (!isSchema(schema)) return unknownShape
  const parts: Shape[] = []
  const { $ref } = schema
  if (typeof $ref === 'string') {
    parts.push($ref.startsWith('#') && !open.has($ref) ? context.define($ref, open) : unknownShape)
  }
  const { enum: values, const: value, anyOf, oneOf, allOf } = schema
  if (Array.isArray(values)) parts.push(union(values.map(shapeOfValue)))
  if (value !== undefined) parts.push(shapeOfValue(value))
  for (const members of [anyOf, oneOf]) {
    if (Array.isArray(members)) {
      parts.push(union(members.map((member) => shapeOf(member, context, open))))
    }
  }
  if (Array.isArray(allOf)) parts.push(...allOf.map((member) => shapeOf(member, context, open)))
  const isSaid = values !== undefined || value !== undefined
  if (!isSaid) parts.push(typedShape(schema, context))
  return intersection(parts)
}

/** The type of `type`, with the keywords that belong to it. */
function typedShape(schema: JsonSchema, context: Context): Shape {
  const { type } = schema
  const types = Array.isArray(type) ? type : type === undefined ? impliedTypes(schema) : [type]
  if (types.length === 0) return unknownShape
  return union(types.map((each) => shapeOfType(each, schema, context)))
}

function impliedTypes(schema: JsonSchema): readonly string[] {
  if (isSchema(schema['properties'])) return ['object']
  return Array.isArray(schema['prefixItems']) ? ['array'] : []
}

function shapeOfType(type: unknown, schema: JsonSchema, context: Context): Shape {
  switch (type) {
    case 'null':
      return nullShape
    case 'boolean':
    case 'string':
    case 'number':
      return { kind: type }
    case 'integer':
      return { kind: 'number' }
    case 'array':
      return arrayShape(schema, context)
    case 'object':
      return objectShape(schema, context)
    default:
      return unknownShape
  }
}

/** A list of listed items has exactly these items: a tuple is meant, though its `minItems` is often missing. */
function arrayShape({ prefixItems, items }: JsonSchema, context: Context): Shape {
  const itemShape = (schema: unknown) => shapeOf(schema, context, nothingOpen)
  if (!Array.isArray(prefixItems)) return { kind: 'array', item: itemShape(items) }
  const rest = items === undefined || items === false ? undefined : itemShape(items)
  return { kind: 'tuple', items: prefixItems.map(itemShape), rest }
}

function objectShape(schema: JsonSchema, context: Context): Shape {
  const { properties, required, additionalProperties, patternProperties } = schema
  const inner = (value: unknown) => shapeOf(value, context, nothingOpen)
  const listed = isSchema(properties) ? Object.entries(properties) : namedBy(schema)
  const isRequired = new Set(Array.isArray(required) ? required : [])
  const shaped = listed.map(
    ([name, property]): ShapeProperty => ({
      name,
      shape: inner(property),
      isOptional: !isRequired.has(name),
      description: descriptionOf(property),
    }),
  )
  const patterns = isSchema(patternProperties) ? Object.values(patternProperties).map(inner) : []
  const isOpen =
    additionalProperties !== undefined &&
    additionalProperties !== false &&
    (listed.length === 0 || properties !== undefined)
  const rest = isOpen ? [inner(additionalProperties)] : []
  const others = [...patterns, ...rest]
  const isBare = listed.length === 0 && properties === undefined && others.length === 0
  if (isBare && additionalProperties !== false) {
    return { kind: 'object', properties: [], others: unknownShape }
  }
  return {
    kind: 'object',
    properties: shaped,
    others: others.length === 0 ? undefined : union(others),
  }
}

/** A record whose keys are listed is an object with these properties. */
function namedBy({
  propertyNames,
  additionalProperties = true,
}: JsonSchema): readonly (readonly [string, unknown])[] {
  const names = isSchema(propertyNames) ? propertyNames['enum'] : undefined
  if (!Array.isArray(names)) return []
  return names
    .filter((name) => typeof name === 'string')
    .map((name) => [name, additionalProperties])
}

function descriptionOf(schema: unknown): string | undefined {
  const description = isSchema(schema) ? schema['description'] : undefined
  return typeof description === 'string' ? description : undefined
}

/** A value in `const` or `enum`; lists and objects are not written out. */
function shapeOfValue(value: unknown): Shape {
  if (value === null) return nullShape
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'boolean':
      return { kind: 'literal', value }
    default:
      return unknownShape
  }
}

/** The value that a JSON pointer in a fragment refers to. @see https://www.rfc-editor.org/rfc/rfc6901 */
function resolve(root: JsonSchema, pointer: string): unknown {
  if (pointer === '#') return root
  if (!pointer.startsWith('#/')) return undefined
  let current: unknown = root
  for (const part of pointer.slice(2).split('/')) {
    const key = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) {
      return undefined
    }
    current = (current as Readonly<Record<string, unknown>>)[key]
  }
  return current
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
