import type { ActionDescription, JsonSchema } from '@engine/contract'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { ActionDefinition } from '../../config/options/action.ts'
import type { Log } from '../../foundation/log.ts'
import { jsonSchemaOf } from './json-schema.ts'
import type { SchemaSide } from './schema-side.ts'

/** Actions by name, sorted. A schema that cannot be described is `{}`, which allows anything; this is logged. */
export async function describeActions(
  actions: ReadonlyMap<string, ActionDefinition>,
  log: Log,
): Promise<Readonly<Record<string, ActionDescription>>> {
  const described = [...actions].map(
    async ([name, { description, input, output }]): Promise<[string, ActionDescription]> => {
      const describe = (schema: StandardSchemaV1, side: SchemaSide) =>
        describeSchema(schema, side, (reason) => {
          const path = `actions.${name}.${side}`
          log.warn({ path, reason }, 'GET /schema cannot describe a schema and says {} of it')
        })
      const sent = output === undefined ? {} : { output: await describe(output, 'output') }
      // An action has no other field for it; the description of the input is about the same.
      const described = description === undefined ? {} : { description }
      return [name, { input: { ...described, ...(await describe(input, 'input')) }, ...sent }]
    },
  )
  const entries = await Promise.all(described)
  return Object.fromEntries(entries.sort(([left], [right]) => (left < right ? -1 : 1)))
}

async function describeSchema(
  schema: StandardSchemaV1,
  side: SchemaSide,
  onFailure: (reason: string) => void,
): Promise<JsonSchema> {
  try {
    const found = await jsonSchemaOf(schema, side)
    if (found !== undefined) return found
    onFailure(`"${schema['~standard'].vendor}" offers no JSON Schema`)
  } catch (error) {
    onFailure(error instanceof Error ? error.message : String(error))
  }
  return {}
}
