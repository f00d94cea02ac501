/** What a body may be: JSON as text or as UTF-8 bytes, or bytes that come bit by bit. */
export type AnswerBody = string | Uint8Array | ReadableStream<Uint8Array>

/**
 * The answer of a route. `route-handler.ts` makes the response of it and adds the headers that all answers have: routes name
 * only those of their own.
 */
export interface Answer {
  readonly status: number
  /** undefined: no body. */
  readonly body: AnswerBody | undefined
  /** Names as they are usually written: `Cache-Control`; a name of the common headers replaces theirs. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** @param body JSON, as text or UTF-8 bytes. */
export function jsonAnswer(
  body: string | Uint8Array,
  { status = 200, headers }: Partial<Pick<Answer, 'status' | 'headers'>> = {},
): Answer {
  return { status, body, headers }
}
