import { GatewayError } from '@engine/core'
import { readText, requireJsonType } from './read-body.ts'
import { parseStrictJson } from './strict-json.ts'

/** Bytes: what accounts are made of is small. */
const mostBytes = 65_536

/**
 * Reads the JSON body of an `/auth` route. Its shape is not looked at.
 *
 * @param maxBytes of any request; here 64 KiB at most.
 * @throws {GatewayError} `unsupportedMediaType` (415), `payloadTooLarge` (413), `invalidInput` (400).
 */
export async function readAuthBody(request: Request, maxBytes: number): Promise<unknown> {
  requireJsonType(request)
  return parseStrictJson(
    await readText(request, Math.min(maxBytes, mostBytes)).catch(asInvalidInput),
  )
}

/** A body that is no text is a wrong body like others here. */
function asInvalidInput(error: unknown): never {
  if (!(error instanceof GatewayError) || error.problem !== 'badRequest') throw error
  throw new GatewayError('invalidInput', error.message, { cause: error })
}
