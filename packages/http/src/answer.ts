/** The types of a body: JSON as text or as UTF-8 bytes, or a stream of bytes. */
export type AnswerBody = string | Uint8Array | ReadableStream<Uint8Array>

/**
 * The answer of a route. `route-handler.ts` turns it into a response and adds the common headers: routes set only their
 * own.
 */
export interface Answer {
  readonly status: number
  /** undefined: no body. */
  readonly body: AnswerBody | undefined
  /** Names in their usual spelling: `Cache-Control`; a name of the common headers replaces the common value. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** @param body JSON, as text or UTF-8 bytes. */
export function jsonAnswer(
  body: string | Uint8Array,
  { status = 200, headers }: Partial<Pick<Answer, 'status' | 'headers'>> = {},
): Answer {
  return { status, body, headers }
}
