import { admin, anonymous, type Caller, type CallerFields } from '@engine/core'
import type { Settings } from '@engine/core/server'
import { createAuthenticator } from '@engine/http'
import { wrongArgument } from './outcome.ts'

/**
 * The caller in a command line or a test file: `admin`, `anonymous`, or `{ roles, fields, id }`.
 *
 * @param place its name in messages: `--as`.
 * @throws {GatewayError} `invalidConfiguration`.
 */
export function parseCaller(input: unknown, place: string): Caller {
  if (input === 'admin') return admin
  if (input === 'anonymous') return anonymous
  const expected = `${place}: expects admin, anonymous or {"roles": […], "fields": {…}, "id": "…"}`
  if (!isObject(input)) throw wrongArgument(expected)
  const { roles = [], fields = {}, id, ...unknown } = input
  const [misspelt] = Object.keys(unknown)
  if (misspelt !== undefined) throw wrongArgument(`${expected}; unknown key "${misspelt}"`)
  if (!isTextList(roles)) throw wrongArgument(`${place}.roles: expects a list of texts`)
  if (!isObject(fields)) throw wrongArgument(`${place}.fields: expects an object`)
  if (id !== undefined && typeof id !== 'string') throw wrongArgument(`${place}.id: expects a text`)
  const own: CallerFields = id === undefined ? fields : { ...fields, id }
  return { kind: 'user', id: id ?? '', roles, fields: own }
}

/** The caller of a bearer token, determined in the same way as for requests. */
export async function callerOfToken(token: string, settings: Settings): Promise<Caller> {
  const headers = { authorization: `Bearer ${token}` }
  const request = new Request('http://localhost/data', { headers })
  const client = { ip: undefined, userAgent: undefined, correlationId: 'command-line' }
  const { caller } = await createAuthenticator(settings)(request, client)
  return caller
}

/** `--as`: JSON, or one of the two names. */
export function parseCallerText(text: string): Caller {
  return parseCaller(text.trim().startsWith('{') ? parseJson(text, '--as') : text.trim(), '--as')
}

/** @throws {GatewayError} `invalidConfiguration`. */
export function parseJson(text: string, place: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw wrongArgument(`${place}: ${cause instanceof Error ? cause.message : 'not valid JSON'}`)
  }
}

/** `--fields`: a JSON object. @throws {GatewayError} `invalidConfiguration`. */
export function parseFields(text: string): Readonly<Record<string, unknown>> {
  const value = parseJson(text, '--fields')
  if (isObject(value)) return value
  throw wrongArgument('--fields: expects a JSON object')
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
