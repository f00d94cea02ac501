/** @module Validates input and output of actions against their schemas. */
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { GatewayError } from '../../foundation/errors.ts'

/** The most issues in the message and the details. */
const mostInMessage = 3
const mostInDetails = 20
const mostCharacters = 200

/**
 * The input, validated and converted by the schema.
 *
 * @throws {GatewayError} `invalidInput` (400) naming the fields.
 */
export async function validatedInput(schema: StandardSchemaV1, input: unknown): Promise<unknown> {
  const result = await schema['~standard'].validate(input)
  if (result.issues === undefined) return result.value
  const issues = result.issues.map(({ path, message }) => ({
    path: pathText(path),
    message: message.slice(0, mostCharacters),
  }))
  const named = issues.slice(0, mostInMessage).map(({ path, message }) => `${path}: ${message}`)
  const more = issues.length - named.length
  const end = more > 0 ? ` (and ${more} more)` : ''
  throw new GatewayError('invalidInput', `The input is not valid. ${named.join('; ')}${end}`, {
    details: { issues: issues.slice(0, mostInDetails) },
  })
}

/**
 * The result of the action, validated and converted by the schema.
 *
 * @throws {Error} when it does not match: the fault is in the action, not in its caller.
 */
export async function validatedOutput(
  schema: StandardSchemaV1 | undefined,
  output: unknown,
): Promise<unknown> {
  if (schema === undefined) return output
  const result = await schema['~standard'].validate(output)
  if (result.issues === undefined) return result.value
  const issues = result.issues.map(({ path, message }) => `${pathText(path)}: ${message}`)
  throw new Error(`the output of the action does not fit its schema: ${issues.join('; ')}`)
}

/** `items[0].price`; `input` for the value as a whole. */
function pathText(path: StandardSchemaV1.Issue['path']): string {
  let text = ''
  for (const segment of path ?? []) {
    const key = typeof segment === 'object' ? segment.key : segment
    text += typeof key === 'number' ? `[${key}]` : `${text === '' ? '' : '.'}${String(key)}`
  }
  return text === '' ? 'input' : text.slice(0, mostCharacters)
}
