import { type KeySet, readKeySet } from './key-set.ts'

/** Maximum bytes of a key set. */
const maxBytes = 256 * 1_024

/** Time limit for connecting, waiting and reading together. */
const timeoutMs = 5_000

/**
 * Fetches a key set. Redirects are not followed: only the configuration decides where keys come from.
 *
 * @throws {Error} when it cannot be fetched, or is invalid.
 */
export async function fetchKeySet(url: string, signal: AbortSignal): Promise<KeySet> {
  const response = await fetch(url, {
    redirect: 'error',
    headers: { accept: 'application/json, application/jwk-set+json' },
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  })
  if (response.status !== 200 || response.body === null) {
    await response.body?.cancel()
    throw new Error(`answered ${response.status}`)
  }
  const text = await readText(response.body)
  return readKeySet(JSON.parse(text))
}

async function readText(body: ReadableStream<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    // Leaving the loop cancels the stream, and with it the connection.
    if (length > maxBytes) throw new Error(`is longer than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
