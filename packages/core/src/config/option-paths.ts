import { z } from 'zod'

/** The paths of all options of an input: `session.expiresIn`, `issuers[].secret`, `tables.<name>.key`. */
export function optionPaths(schema: z.ZodType, at: string): readonly string[] {
  const found = new Set<string>()
  collect(schema, at, found)
  return [...found]
}

function collect(schema: z.ZodType, at: string, found: Set<string>): void {
  if (schema instanceof z.ZodObject) {
    const shape: Readonly<Record<string, z.ZodType>> = schema.shape
    for (const [key, inner] of Object.entries(shape)) {
      const path = at === '' ? key : `${at}.${key}`
      found.add(path)
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
  } else if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  ) {
    collect(schema.unwrap() as z.ZodType, at, found)
  }
}
