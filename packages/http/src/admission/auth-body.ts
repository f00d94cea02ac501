import { GatewayError } from '@engine/core'
import { readText, requireJsonType } from '../request/read-body.ts'
import { parseStrictJson } from '../request/strict-json.ts'

/** Maximum bytes: the data of accounts is small. */
const mostBytes = 65_536

/**
 * Reads the JSON body of an `/auth` route. Its shape is not checked here.
 *
 * @param maxBytes of any request; here at most 64 KiB.
 * @throws {GatewayError} `unsupportedMediaType` (415), `payloadTooLarge` (413), `invalidInput` (400).
 */
export async function readAuthBody(request: Request, maxBytes: number): Promise<unknown> {
  requireJsonType(request)
  return parseStrictJson(
    await readText(request, Math.min(maxBytes, mostBytes)).catch(asInvalidInput),
  )
}

/** A body that is not a text is an invalid body, as on all routes here. */
function asInvalidInput(error: unknown): never {
  if (!(error instanceof GatewayError) || error.problem !== 'badRequest') throw error
  throw new GatewayError('invalidInput', error.message, { cause: error })
}
