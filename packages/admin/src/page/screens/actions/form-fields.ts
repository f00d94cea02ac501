/** @module A JSON Schema of an object as fields of a form, and what was typed as JSON. */

export interface FormField {
  readonly name: string
  /** `json` for everything that has no input of its own. */
  readonly kind: 'text' | 'number' | 'boolean' | 'choice' | 'json'
  readonly isRequired: boolean
  /** For `choice`: the values as JSON. */
  readonly choices: readonly string[]
  readonly hint: string
}

type Schema = Readonly<Record<string, unknown>>

/** @returns undefined where the schema is not that of an object with known properties: its input is written as JSON. */
export function fieldsOf(schema: Schema): readonly FormField[] | undefined {
  const { type, properties, required } = schema
  if (type !== 'object' || !isSchema(properties)) return undefined
  const needed = new Set(Array.isArray(required) ? required : [])
  return Object.entries(properties).map(([name, property]) =>
    fieldOf(name, isSchema(property) ? property : {}, needed.has(name)),
  )
}

function fieldOf(name: string, schema: Schema, isRequired: boolean): FormField {
  const { type, enum: values, description } = schema
  const shared = { name, isRequired, hint: hintOf(schema, description) }
  if (Array.isArray(values)) {
    return { ...shared, kind: 'choice', choices: values.map((value) => JSON.stringify(value)) }
  }
  const kind =
    type === 'string'
      ? 'text'
      : type === 'integer' || type === 'number'
        ? 'number'
        : type === 'boolean'
          ? 'boolean'
          : 'json'
  return { ...shared, kind, choices: kind === 'boolean' ? ['true', 'false'] : [] }
}

/** The limits that a person should know before sending. */
function hintOf(schema: Schema, description: unknown): string {
  const limits = ['minimum', 'maximum', 'minLength', 'maxLength', 'format', 'pattern'] as const
  const facts = limits.flatMap((name) => {
    const value = schema[name]
    const isObvious = typeof value === 'number' && Math.abs(value) >= Number.MAX_SAFE_INTEGER
    return value === undefined || isObvious ? [] : [`${name} ${String(value)}`]
  })
  const byDefault = schema['default']
  if (byDefault !== undefined) facts.push(`default ${JSON.stringify(byDefault)}`)
  const kind = typeof schema['type'] === 'string' ? [schema['type']] : []
  const text = typeof description === 'string' ? [`${description.replace(/\.$/, '')}.`] : []
  return [...text, [...kind, ...facts].join(', ')].join(' ').trim()
}

/** @param typed texts by the names of fields; an empty one is left out. @throws {Error} naming the field. */
export function inputOf(
  fields: readonly FormField[],
  typed: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> {
  const entries = fields.flatMap((field): [string, unknown][] => {
    const text = typed[field.name] ?? ''
    if (text === '') return []
    return [[field.name, field.kind === 'text' ? text : parsed(text, field.name)]]
  })
  return Object.fromEntries(entries)
}

/** @throws {Error} naming the field. */
export function parsed(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`${name} is no JSON value.`)
  }
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
