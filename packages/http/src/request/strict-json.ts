import { GatewayError } from '@engine/core'
import { jsonShape } from '@engine/core/server'

/** Maximum nesting of arrays and objects. */
const maxDepth = 32

/**
 * Parses JSON that has the same meaning for every parser: an object with a duplicate field is refused, since one parser
 * takes the first and another the last; so is deep nesting.
 *
 * @throws {GatewayError} `invalidInput` (400).
 */
export function parseStrictJson(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new GatewayError('invalidInput', 'The body is not valid JSON.', { cause })
  }
  const { depth, repeatedKey } = jsonShape(text)
  if (repeatedKey !== undefined) {
    throw new GatewayError('invalidInput', 'The body names a field twice.')
  }
  if (depth > maxDepth) throw new GatewayError('invalidInput', 'The body is nested too deeply.')
  return value
}
