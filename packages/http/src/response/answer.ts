/** A body that is complete: JSON as text or as UTF-8 bytes. */
export type WholeBody = string | Uint8Array

/** The types of a body; a stream is one of bytes. */
export type AnswerBody = WholeBody | ReadableStream<Uint8Array>

/**
 * The answer of a route. `answer-calls.ts` adds the common headers: routes set only their
 * own.
 */
export interface Answer<Body extends AnswerBody | undefined = AnswerBody | undefined> {
  readonly status: number
  /** undefined: no body. */
  readonly body: Body
  /** Names in their usual spelling: `Cache-Control`; a name of the common headers replaces the common value. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** @param body JSON, as text or UTF-8 bytes. */
export function jsonAnswer(
  body: WholeBody,
  { status = 200, headers }: Partial<Pick<Answer, 'status' | 'headers'>> = {},
): Answer<WholeBody> {
  return { status, body, headers }
}
