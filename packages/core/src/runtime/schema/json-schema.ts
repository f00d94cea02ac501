/** @module Converts schemas of actions to JSON Schema of draft 2020-12. */
import type { JsonSchema } from '@engine/contract'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { z } from 'zod'
import type { SchemaSide } from './schema-side.ts'
import { jsonSchemaOfZod3 } from './zod3-json-schema.ts'

/**
 * Describes a schema of zod 4, zod 3 or anything that offers Standard JSON Schema.
 *
 * @returns undefined where a schema cannot be described
 * @throws {Error} the error of the schema's own library
 */
export async function jsonSchemaOf(
  schema: StandardSchemaV1,
  side: SchemaSide,
): Promise<JsonSchema | undefined> {
  if (isZod4(schema)) {
    return z.toJSONSchema(schema, {
      io: side,
      target: 'draft-2020-12',
      unrepresentable: ({ zodSchema }) => answered(zodSchema._zod.def.type, side),
    }) as JsonSchema
  }
  const standard: StandardSchemaV1['~standard'] & Partial<JsonSchemaSource> = schema['~standard']
  if (standard.jsonSchema !== undefined) {
    return standard.jsonSchema[side]({ target: 'draft-2020-12' })
  }
  return isZod3(schema) ? jsonSchemaOfZod3(schema, side) : undefined
}

/** @see https://standardschema.dev/json-schema */
interface JsonSchemaSource {
  readonly jsonSchema: Readonly<
    Record<SchemaSide, (options: { readonly target: string }) => Record<string, unknown>>
  >
}

/** Types that JSON lacks: an answer contains timestamps and big integers as texts. */
function answered(type: string, side: SchemaSide): { type: 'string'; format?: string } | 'any' {
  if (side === 'output' && type === 'date') return { type: 'string', format: 'date-time' }
  if (side === 'output' && type === 'bigint') return { type: 'string' }
  return 'any'
}

function isZod4(schema: StandardSchemaV1): schema is StandardSchemaV1 & z.core.$ZodType {
  return '_zod' in schema
}

function isZod3(schema: StandardSchemaV1): boolean {
  return '_def' in schema && schema['~standard'].vendor === 'zod'
}
