import { z } from 'zod'

/** An option of a configuration, as its check describes it. */
export interface DescribedOption {
  /** `session.expiresIn`, `issuers[].secret`, `tables.<name>.key`: any name is written `<name>`, any item `[]`. */
  readonly path: string
  /** In words: `text`, `number`, `list of text`, `'fail' or 'skip'`. */
  readonly type: string
  /** In the form of a configuration file; undefined where the check fills in nothing. */
  readonly builtIn: unknown
}

/** All options of an input; options of several forms of one value are united. */
export function describeOptions(schema: z.ZodType, at: string): readonly DescribedOption[] {
  const found = new Map<string, DescribedOption>()
  collect(schema, at, found)
  return [...found.values()]
}

function collect(schema: z.ZodType, at: string, found: Map<string, DescribedOption>): void {
  if (schema instanceof z.ZodObject) {
    const shape: Readonly<Record<string, z.ZodType>> = schema.shape
    for (const [key, inner] of Object.entries(shape)) {
      const path = at === '' ? key : `${at}.${key}`
      found.set(
        path,
        united(found.get(path), { path, type: typeOf(inner), builtIn: builtInOf(inner) }),
      )
      collect(inner, path, found)
    }
  } else if (schema instanceof z.ZodUnion) {
    for (const option of schema.options) collect(option as z.ZodType, at, found)
  } else if (schema instanceof z.ZodArray) {
    collect(schema.element as z.ZodType, `${at}[]`, found)
  } else if (schema instanceof z.ZodRecord) {
    collect(schema.valueType as z.ZodType, `${at}.<name>`, found)
  } else if (schema instanceof z.ZodPipe) {
    collect(schema.in as z.ZodType, at, found)
  } else if (isAround(schema)) {
    collect(schema.unwrap() as z.ZodType, at, found)
  }
}

function united(known: DescribedOption | undefined, other: DescribedOption): DescribedOption {
  if (known === undefined || known.type === other.type) return other
  return {
    ...known,
    type: `${known.type} or ${other.type}`,
    builtIn: known.builtIn ?? other.builtIn,
  }
}

function isAround(schema: z.ZodType): schema is z.ZodOptional | z.ZodDefault | z.ZodPrefault {
  return (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  )
}

/** A default that is an object stands in the options of the object. */
function builtInOf(schema: z.ZodType): unknown {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) {
    const value: unknown = schema.def.defaultValue
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? undefined : value
  }
  return schema instanceof z.ZodOptional ? builtInOf(schema.unwrap() as z.ZodType) : undefined
}

function typeOf(schema: z.ZodType): string {
  if (isAround(schema)) return typeOf(schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodPipe) return typeOf(schema.in as z.ZodType)
  if (schema instanceof z.ZodString) return 'text'
  if (schema instanceof z.ZodNumber) return 'number'
  if (schema instanceof z.ZodBoolean) return 'true or false'
  if (schema instanceof z.ZodEnum) return alternatives(schema.options.map(spelled))
  if (schema instanceof z.ZodLiteral) return alternatives([...schema.values].map(spelled))
  if (schema instanceof z.ZodArray) return `list of ${typeOf(schema.element as z.ZodType)}`
  if (schema instanceof z.ZodTuple) return 'list'
  if (schema instanceof z.ZodRecord) return 'object by name'
  if (schema instanceof z.ZodObject) return 'object'
  if (schema instanceof z.ZodUnion) {
    return alternatives((schema.options as readonly z.ZodType[]).map(typeOf))
  }
  if (schema instanceof z.ZodCustom) return 'value in code'
  return 'value'
}

function spelled(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value)
}

function alternatives(types: readonly string[]): string {
  return [...new Set(types)].join(' or ')
}
