/** @module Input and output of actions against their schemas. */
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { GatewayError } from '../../foundation/errors.ts'

/** Issues that the message and the details tell of. */
const mostInMessage = 3
const mostInDetails = 20
const mostCharacters = 200

/**
 * What the schema makes of what was sent.
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
 * What the schema makes of what the action gives back.
 *
 * @throws {Error} when it does not fit: the action is wrong, not its caller.
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
