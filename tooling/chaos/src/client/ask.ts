/** @module Sends one request, and returns its outcome. */
import { randomUUID } from 'node:crypto'

export interface Request {
  readonly method: string
  readonly path: string
  /** Sent as JSON. */
  readonly body?: unknown
  readonly token?: string | undefined
}

export interface Answer {
  readonly kind: 'answer'
  readonly status: number
  readonly headers: Headers
  /** The parsed body; undefined when it was not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: the judge checks its shape
  readonly body: any
}

/** `broken`: the connection failed. `late`: there was no answer within the time limit. */
export type Outcome = Answer | { readonly kind: 'broken' | 'late'; readonly reason: string }

export interface Asked {
  /** Its X-Request-Id. */
  readonly id: string
  readonly startMs: number
  readonly endMs: number
  readonly outcome: Outcome
}

/** @param withinMs the answer must arrive within this number of milliseconds */
export async function ask(base: string, request: Request, withinMs: number): Promise<Asked> {
  const id = randomUUID()
  const startMs = performance.now()
  const outcome = await send(base, request, id, withinMs)
  return { id, startMs, endMs: performance.now(), outcome }
}

async function send(
  base: string,
  { method, path, body, token }: Request,
  id: string,
  withinMs: number,
): Promise<Outcome> {
  try {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: {
        'x-request-id': id,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(withinMs),
    })
    const text = await response.text()
    return {
      kind: 'answer',
      status: response.status,
      headers: response.headers,
      body: parsed(text),
    }
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError'
    return { kind: isLate ? 'late' : 'broken', reason: reasonOf(error) }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Then the body is not valid JSON; the judge reports it.
    return undefined
  }
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return `${error instanceof Error ? error.message : String(error)} ${code}`.trim()
}
