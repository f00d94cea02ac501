import { type DataRequest, methods } from '@engine/contract'
import { GatewayError } from '@engine/core'

const keys: readonly string[] = ['sql', 'params', 'method', 'meta']

/** Maximum nesting of arrays and objects inside a parameter. */
const maxParameterDepth = 64

/**
 * Checks the body of `POST /data` by hand: it runs on every request.
 *
 * @param where names the statement in messages, for a batch.
 * @throws {GatewayError} `badRequest` (400) naming the field.
 */
export function parseDataRequest(body: unknown, where = 'The body'): Required<DataRequest> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw refuse(`${where} must be an object { sql, params, method }.`)
  }
  for (const key of Object.keys(body)) {
    if (!keys.includes(key)) throw refuse(`${where} has an unknown field ${JSON.stringify(key)}.`)
  }
  const { sql, params, method, meta } = body as Readonly<Record<string, unknown>>
  if (typeof sql !== 'string') throw refuse(`${where} lacks "sql", a text.`)
  if (!Array.isArray(params)) throw refuse(`${where} lacks "params", a list.`)
  if (method === undefined) throw refuse(`${where} lacks "method", one of ${methods.join(', ')}.`)
  const known = methods.find((candidate) => candidate === method)
  if (known === undefined) {
    throw refuse(`${where} has a wrong value: "method" must be one of ${methods.join(', ')}.`)
  }
  if (meta !== undefined && typeof meta !== 'boolean') throw refuse('"meta" must be a boolean.')
  for (const [i, value] of params.entries()) {
    if (typeof value === 'object' && depthOf(value, maxParameterDepth) > maxParameterDepth) {
      throw refuse(`Parameter $${i + 1} is nested too deeply.`)
    }
  }
  return { sql, params, method: known, meta: meta ?? false }
}

/** Maximum statements of a batch. */
const maxStatements = 100

/**
 * Checks the body of `POST /data/batch`.
 *
 * @throws {GatewayError} `badRequest` (400) naming the statement and field.
 */
export function parseBatchRequest(body: unknown): readonly Required<DataRequest>[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw refuse('The body must be an object { statements }.')
  }
  const unknown = Object.keys(body).find((key) => key !== 'statements')
  if (unknown !== undefined)
    throw refuse(`The body has an unknown field ${JSON.stringify(unknown)}.`)
  const statements: unknown = 'statements' in body ? body.statements : undefined
  if (!Array.isArray(statements) || statements.length === 0) {
    throw refuse('The body lacks "statements", a non-empty list.')
  }
  if (statements.length > maxStatements) {
    throw refuse(`A batch has at most ${maxStatements} statements.`)
  }
  return statements.map((statement, i) => parseDataRequest(statement, `Statement ${i + 1}`))
}

function depthOf(value: unknown, limit: number): number {
  if (typeof value !== 'object' || value === null) return 0
  if (limit < 0) return 1
  let deepest = 0
  for (const part of Object.values(value)) deepest = Math.max(deepest, depthOf(part, limit - 1))
  return deepest + 1
}

function refuse(message: string): GatewayError {
  return new GatewayError('badRequest', message)
}
