/** @module Requests the schema of a server. */
import { type SchemaDocument, schemaIncompleteHeader } from '@engine/contract'
import { answerFailure, networkFailure } from './failures.ts'
import { readDocument } from './read-document.ts'

export interface SchemaSource {
  /** URL of `GET /schema`. */
  readonly url: URL
  readonly token: string | undefined
  readonly fetch: typeof fetch
}

export type SchemaAnswer =
  | {
      readonly kind: 'schema'
      readonly document: SchemaDocument
      /** To be sent with the next request. */
      readonly tag: string | undefined
      /** Connections whose tables the server does not know; usually empty. */
      readonly missing: readonly string[]
    }
  /** The schema has not changed since the given tag. */
  | { readonly kind: 'unchanged' }
  /** A sentence for users. */
  | { readonly kind: 'failure'; readonly message: string }

/** How long an answer may take, in milliseconds, and how long it may be, in bytes. */
const bounds = { timeoutMs: 30_000, bytes: 64_000_000 }

/** @param tag of the schema that is already known. */
export async function fetchSchema(
  { url, token, fetch }: SchemaSource,
  tag: string | undefined,
  signal: AbortSignal,
): Promise<SchemaAnswer> {
  const headers = {
    accept: 'application/json',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(tag === undefined ? {} : { 'if-none-match': tag }),
  }
  const limit = AbortSignal.any([signal, AbortSignal.timeout(bounds.timeoutMs)])
  try {
    // A token is meant only for this address.
    const response = await fetch(url, { headers, redirect: 'manual', signal: limit })
    if (response.status === 304) {
      await response.body?.cancel()
      return { kind: 'unchanged' }
    }
    const text = await readText(response)
    if (text === undefined) return failure(`${url.href} answers more than any schema has.`)
    return response.status === 200
      ? schemaAnswer(text, response, url)
      : failure(answerFailure(response, text, { url, hasToken: token !== undefined }))
  } catch (error) {
    return failure(networkFailure(error, url))
  }
}

function failure(message: string): SchemaAnswer {
  return { kind: 'failure', message }
}

/** undefined when it is longer than allowed. */
async function readText(response: Response): Promise<string | undefined> {
  const decoder = new TextDecoder()
  let text = ''
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > bounds.bytes) return undefined
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

function schemaAnswer(text: string, { headers }: Response, url: URL): SchemaAnswer {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    const what = /^\s*</.test(text) ? 'a web page' : 'no JSON'
    return failure(`${url.href} answers with ${what}. Is that the address of an engine?`)
  }
  const read = readDocument(value)
  if (read.kind === 'fault') {
    const place = read.path === '' ? '' : ` at ${read.path}`
    return failure(`${url.href} answers something that is no schema${place}: ${read.message}.`)
  }
  const missing = headers.get(schemaIncompleteHeader)?.split(/\s*,\s*/) ?? []
  const { document } = read
  return { kind: 'schema', document, tag: headers.get('etag') ?? undefined, missing }
}
