/** What a response body may be: JSON as text or as UTF-8 bytes. */
export type JsonBody = string | Uint8Array

export interface JsonResponse {
  readonly status: number
  readonly correlationId: string
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** A response as all of ours are. Its headers are a plain object: servers write those without building `Headers`. */
export function jsonResponse(
  body: JsonBody,
  { status, correlationId, headers }: JsonResponse,
): Response {
  return new Response(body as ConstructorParameters<typeof Response>[0], {
    status,
    headers: {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': correlationId,
      ...headers,
    },
  })
}
