import type { JsonSchema } from '@engine/contract'
import type { SchemaSide } from './schema-side.ts'

/**
 * A schema of zod 3 through `zod-to-json-schema`, an optional package. It writes draft 2019-09, which has another form for
 * tuples. The result of a transformation has any type: zod 3 does not know it.
 *
 * @throws {Error} with the name of the package to install
 */
export async function jsonSchemaOfZod3(schema: unknown, side: SchemaSide): Promise<JsonSchema> {
  const { zodToJsonSchema } = await loadConverter()
  const found = zodToJsonSchema(schema as Parameters<typeof zodToJsonSchema>[0], {
    target: 'jsonSchema2019-09',
    definitionPath: '$defs',
    effectStrategy: side === 'input' ? 'input' : 'any',
    pipeStrategy: side,
    removeAdditionalStrategy: 'strict',
    allowedAdditionalProperties: undefined,
  })
  return {
    ...modernSchema(found as Schema),
    $schema: 'https://json-schema.org/draft/2020-12/schema',
  }
}

async function loadConverter() {
  try {
    return await import('zod-to-json-schema')
  } catch (cause) {
    throw new Error(
      'a schema of zod 3 is described by zod-to-json-schema, which is not installed',
      {
        cause,
      },
    )
  }
}

type Schema = Readonly<Record<string, unknown>>

/** Keywords whose values are the user's data, not schemas. */
const dataKeywords: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples'])

/** Keywords whose values are schemas by name. */
const mapKeywords: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs'])

/** Converts draft 2019-09 to 2020-12: `items` as a list is `prefixItems`, and `additionalItems` is `items`. */
function modernSchema(schema: Schema): Schema {
  const entries = Object.entries(schema).map(([key, value]): [string, unknown] => {
    if (dataKeywords.has(key)) return [key, value]
    if (key === '$ref' && typeof value === 'string') return [key, modernReference(value)]
    if (mapKeywords.has(key) && isSchema(value)) return [key, modernMap(value)]
    return [key, modernValue(value)]
  })
  const { items, additionalItems, ...others }: Record<string, unknown> = Object.fromEntries(entries)
  if (items === undefined) return others
  if (!Array.isArray(items)) return { ...others, items }
  const rest = additionalItems === undefined ? {} : { items: additionalItems }
  return { ...others, prefixItems: items, ...rest }
}

function modernValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(modernValue)
  return isSchema(value) ? modernSchema(value) : value
}

function modernMap(schemas: Schema): Schema {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, modernValue(schema)]),
  )
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** `#/properties/items/items/0` → `#/properties/items/prefixItems/0`: only keywords change, not names. */
function modernReference(reference: string): string {
  const parts = reference.split('/')
  return parts
    .map((part, index) => {
      if (isName(parts, index)) return part
      if (part === 'additionalItems') return 'items'
      return part === 'items' && /^\d+$/.test(parts[index + 1] ?? '') ? 'prefixItems' : part
    })
    .join('/')
}

/** Does this part name a property or definition? It does after a keyword of names that is not a name itself. */
function isName(parts: readonly string[], index: number): boolean {
  return index > 0 && mapKeywords.has(parts[index - 1] ?? '') && !isName(parts, index - 1)
}
