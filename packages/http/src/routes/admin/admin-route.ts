/** @module Common parts of the administrator's routes: access, methods, input, a record of every change. */

import type { AdminApi, AdminMethod, AdminPath } from '@engine/contract/admin-api'
import { GatewayError } from '@engine/core'
import type { AuditOrigin } from '@engine/core/server'
import type { Context, Hono } from 'hono'
import type { z } from 'zod'
import { beforeDeadline, deadlines } from '../../request/deadline.ts'
import { readJson } from '../../request/read-body.ts'
import { type Answer, jsonAnswer, type WholeBody } from '../../response/answer.ts'
import type { Call } from '../../route-handler.ts'
import type { AdminOptions } from './admin-options.ts'

declare const jsonOf: unique symbol

/** An answer whose body is the JSON of a value of this type; only the compiler knows the type. */
export interface AnswerOf<Value> extends Answer {
  readonly [jsonOf]: Value
}

/** Answers with the JSON of a value; `never`: with a file. */
export type AdminRoute<Value> = (
  call: Call,
  context: Context,
) => Promise<[Value] extends [never] ? Answer : AnswerOf<Value>>

/** Every method of a path, each with the answer that `AdminApi` has for it. */
export type RoutesOf<Path extends AdminPath> = {
  readonly [Method in AdminMethod<Path>]: AdminRoute<AdminApi[`${Method} ${Path}` & keyof AdminApi]>
}

/** Adds the methods of one path to `app`. Clients without the master key get the same answer for every path. */
export type AddRoutes = <Path extends AdminPath>(
  path: `/admin/api${Path}`,
  routes: RoutesOf<Path>,
) => void

/** @param check admits a request, or throws. */
export function createAddRoutes(
  app: Hono,
  check: (call: Call) => Promise<unknown>,
  { handle, engine }: Pick<AdminOptions, 'handle' | 'engine'>,
): AddRoutes {
  const { queryTimeoutMs } = engine.settings.limits
  return (path, routes) => {
    const methods = Object.keys(routes)
    for (const [method, route] of Object.entries<AdminRoute<unknown>>(routes)) {
      const guarded = handle(async (call, context) => {
        await beforeDeadline(deadlines.identity, check(call))
        return beforeDeadline(queryTimeoutMs, route(call, context), method !== 'GET')
      })
      app.on(method, path, (context) => guarded(context))
    }
    const wrongMethod = handle(async (call) => {
      await check(call)
      call.responseHeaders['Allow'] = methods.join(', ')
      throw new GatewayError('methodNotAllowed', `Use ${methods.join(' or ')} here.`)
    })
    app.all(path, (context) => wrongMethod(context))
  }
}

export function json<Value>(value: Value, status = 200): AnswerOf<Value> {
  return jsonText(JSON.stringify(value), { status })
}

/** @param body the JSON of a `Value`. */
export function jsonText<Value>(
  body: WholeBody,
  options: Partial<Pick<Answer, 'status' | 'headers'>> = {},
): AnswerOf<Value> {
  return jsonAnswer(body, options) as AnswerOf<Value>
}

/** Maximum bytes of a body; statements may be long, all other input is short. */
const maxBodyBytes = 256 * 1_024

/** @throws {GatewayError} `invalidInput` (400) naming the field; errors of `readJson`. */
export async function readBody<Schema extends z.ZodType>(
  { request }: Call,
  schema: Schema,
): Promise<z.infer<Schema>> {
  return checked(schema, await readJson(request, maxBodyBytes), 'The body')
}

/** The query string; a duplicate name is refused. @throws {GatewayError} `invalidInput` (400). */
export function readQuery<Schema extends z.ZodType>(
  { request }: Call,
  schema: Schema,
): z.infer<Schema> {
  const { searchParams } = new URL(request.url)
  const names = [...searchParams.keys()]
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice !== undefined) throw new GatewayError('invalidInput', `${twice} is there twice.`)
  // Not every database accepts it in a text.
  if ([...searchParams.values()].some((value) => value.includes('\0'))) {
    throw new GatewayError('invalidInput', 'The query must not contain U+0000.')
  }
  return checked(schema, Object.fromEntries(searchParams), 'The query')
}

function checked<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  whole: string,
): z.infer<Schema> {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const path = issue?.path.join('.') ?? ''
  throw new GatewayError('invalidInput', `${path === '' ? whole : path}: ${issue?.message}`)
}

/**
 * A part of the path.
 *
 * @throws {GatewayError} `notFound` for a text that not every database accepts.
 */
export function pathParameter(context: Context, name: string): string {
  const value = context.req.param(name) ?? ''
  if (value.includes('\0')) throw new GatewayError('notFound', 'There is nothing at this address.')
  return value
}

export function notFound(what: string): GatewayError {
  return new GatewayError('notFound', `There is no such ${what}.`)
}

/**
 * Makes a change and records it in the audit: the change is refused while the audit cannot be written, and answered
 * when its entry is in the database, or has waited long enough.
 *
 * @param work returns the answer, and the facts for the audit.
 * @throws {GatewayError} `unavailable` (503) before anything has changed.
 */
export async function recordedChange<Result>(
  { audit }: Pick<AdminOptions, 'audit'>,
  call: Call,
  action: string,
  work: () => Promise<{
    readonly result: Result
    readonly facts: Readonly<Record<string, unknown>>
  }>,
): Promise<Result> {
  audit.requireWritable()
  const { result, facts } = await work()
  await audit.record({ ...adminOrigin(call), kind: 'admin', action, facts })
  await audit.flush()
  return result
}

/** The origin of events of an administrator. */
export function adminOrigin({ client, correlationId }: Call): AuditOrigin {
  return {
    correlationId,
    ip: client.ip,
    via: 'admin',
    caller: 'admin',
    roles: [],
    credentialId: undefined,
  }
}
