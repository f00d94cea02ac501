import { z } from 'zod'
import { type Faults, suggestion } from '../../foundation/faults.ts'

/**
 * Checks `input` and adds its faults, path by path.
 *
 * @param at path of the input; empty for the whole configuration.
 * @returns undefined when there are faults.
 */
export function checked<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  at: string,
  faults: Faults,
): z.infer<Schema> | undefined {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  for (const issue of parsed.error.issues) addIssue(withReason(issue), schema, at, faults)
  return undefined
}

function addIssue(issue: z.core.$ZodIssue, schema: z.ZodType, at: string, faults: Faults): void {
  const path = [at, ...issue.path.map(String)].filter((part) => part !== '').join('.')
  if (issue.code !== 'unrecognized_keys') {
    faults.add(path || 'configuration', withoutPrefix(messageOf(issue)))
    return
  }
  const known = keysAt(schema, issue.path)
  for (const key of issue.keys) {
    const keyPath = path === '' ? key : `${path}.${key}`
    faults.add(keyPath, `unknown key${suggestion(key, known)}`)
  }
}

/** An unknown name is reported together with the reason. */
function messageOf(issue: z.core.$ZodIssue): string {
  const [reason] = issue.code === 'invalid_key' ? issue.issues : []
  return reason?.message ?? issue.message
}

/** For a value that may be of several kinds: the faults within the kind that it matches, else the list of kinds. */
function withReason(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== 'invalid_union' || issue.message !== 'Invalid input') return issue
  const reasons = issue.errors.flatMap(([first]) => first ?? [])
  const inside = reasons.find(({ path }) => path.length > 0)
  if (inside !== undefined) return { ...inside, path: [...issue.path, ...inside.path] }
  const refused = reasons.find(({ code }) => code === 'custom')
  if (refused !== undefined) return { ...refused, path: issue.path }
  const kinds = reasons.flatMap(
    ({ message }) => /^expected ([^,]*)/.exec(withoutPrefix(message))?.[1] ?? [],
  )
  return kinds.length === 0
    ? issue
    : { ...issue, message: `expected ${[...new Set(kinds)].join(' or ')}` }
}

/** `Invalid input: expected string, received number` → `expected string, received number` */
function withoutPrefix(message: string): string {
  return message.replace(/^[^:]*: (?=expected )/, '')
}

/** The keys that an object may have at this path of a schema. */
function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  const inner = unwrapped(schema)
  if (inner instanceof z.ZodUnion) {
    return inner.options.flatMap((option) => keysAt(option as z.ZodType, path))
  }
  const [first, ...rest] = path
  if (inner instanceof z.ZodArray) return keysAt(inner.element as z.ZodType, rest)
  if (inner instanceof z.ZodRecord) return keysAt(inner.valueType as z.ZodType, rest)
  if (!(inner instanceof z.ZodObject)) return []
  const shape: Readonly<Record<string, z.ZodType>> = inner.shape
  if (first === undefined) return Object.keys(shape)
  const next = shape[String(first)]
  return next === undefined ? [] : keysAt(next, rest)
}

/** The schema of the input itself, without defaults and transformations around it. */
function unwrapped(schema: z.ZodType): z.ZodType {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  ) {
    return unwrapped(schema.unwrap() as z.ZodType)
  }
  return schema instanceof z.ZodPipe ? unwrapped(schema.in as z.ZodType) : schema
}
