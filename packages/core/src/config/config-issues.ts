import { z } from 'zod'
import { type Faults, suggestion } from '../permissions/faults.ts'

/**
 * Checks `input` and adds what is wrong with it, path by path.
 *
 * @param at path of the input; empty for the whole configuration.
 * @returns undefined when something is wrong.
 */
export function checked<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  at: string,
  faults: Faults,
): z.infer<Schema> | undefined {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  for (const issue of parsed.error.issues) addIssue(issue, schema, at, faults)
  return undefined
}

function addIssue(issue: z.core.$ZodIssue, schema: z.ZodType, at: string, faults: Faults): void {
  const path = [at, ...issue.path.map(String)].filter((part) => part !== '').join('.')
  if (issue.code !== 'unrecognized_keys') {
    faults.add(path || 'configuration', withoutPrefix(issue.message))
    return
  }
  const known = keysAt(schema, issue.path)
  for (const key of issue.keys) {
    const keyPath = path === '' ? key : `${path}.${key}`
    faults.add(keyPath, `unknown key${suggestion(key, known)}`)
  }
}

/** `Invalid input: expected string, received number` → `expected string, received number` */
function withoutPrefix(message: string): string {
  return message.replace(/^[^:]*: (?=expected )/, '')
}

/** The keys that an object may have at this place of a schema. */
function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  const inner = schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : schema
  if (!(inner instanceof z.ZodObject)) return []
  const shape: Readonly<Record<string, z.ZodType>> = inner.shape
  const [first, ...rest] = path
  if (first === undefined) return Object.keys(shape)
  const next = shape[String(first)]
  return next === undefined ? [] : keysAt(next, rest)
}
