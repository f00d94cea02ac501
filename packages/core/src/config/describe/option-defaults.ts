import { z } from 'zod'

/** An option of a section, and its default in the form of a configuration file; undefined where it has none. */
export interface OptionDefault {
  readonly path: string
  readonly builtIn: unknown
}

/**
 * The options of an input that have a value of their own, in the order of the input: lists and maps are one option, objects are their
 * options.
 */
export function optionDefaults(schema: z.ZodType, at: string): readonly OptionDefault[] {
  return optionsOf(schema, at, undefined)
}

function optionsOf(schema: z.ZodType, path: string, builtIn: unknown): readonly OptionDefault[] {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) {
    return optionsOf(schema.unwrap() as z.ZodType, path, schema.def.defaultValue)
  }
  if (schema instanceof z.ZodOptional) {
    return optionsOf(schema.unwrap() as z.ZodType, path, builtIn)
  }
  const object = objectIn(schema)
  if (object === undefined) return [{ path, builtIn }]
  const shape: Readonly<Record<string, z.ZodType>> = object.shape
  return Object.entries(shape).flatMap(([key, inner]) =>
    optionsOf(inner, `${path}.${key}`, undefined),
  )
}

/** `boolean | { … }` has the options of its object. */
function objectIn(schema: z.ZodType): z.ZodObject | undefined {
  if (schema instanceof z.ZodObject) return schema
  if (!(schema instanceof z.ZodUnion)) return undefined
  const options = schema.options as readonly z.ZodType[]
  return options.find((option) => option instanceof z.ZodObject)
}
