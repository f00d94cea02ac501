/** @module Messages of failures: the reason, and what to do, in one or two sentences. */

interface Asked {
  readonly url: URL
  readonly hasToken: boolean
}

/** The failure for an answer that is not a schema. */
export function answerFailure(
  { status, headers }: Response,
  text: string,
  { url, hasToken }: Asked,
): string {
  const { href } = url
  const error = errorOf(text)
  switch (status) {
    case 401:
      return hasToken
        ? `${href} does not accept the token (401). It has to be the one in schemaEndpoint.token.`
        : `${href} wants a token (401): --token, or ENGINE_SCHEMA_TOKEN in the environment.`
    case 404:
      if (error === undefined) {
        return `There is nothing at ${href} (404). Is that the base address of an engine?`
      }
      return url.pathname === '/schema'
        ? `The engine at ${url.origin} does not tell its schema (404). Its configuration needs schemaEndpoint: true.`
        : `There is no schema at ${href} (404). Is that the base address of an engine, and is schemaEndpoint: true in its configuration?`
    case 429:
    case 503:
      return `${href} cannot answer right now (${status}). Try again later.`
    default: {
      const target = headers.get('location')
      if (status >= 300 && status < 400 && target !== null) {
        return `${href} leads elsewhere (${status}): to ${target}. Use the address of the engine itself.`
      }
      return `${href} answers ${status}${error?.message === undefined ? '' : `: ${error.message}`}`
    }
  }
}

/** The error of an engine, if it is one. */
function errorOf(text: string): { readonly message: string | undefined } | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || !('error' in value)) return undefined
    const message = 'message' in value ? value.message : undefined
    return { message: typeof message === 'string' ? message : undefined }
  } catch {
    return undefined
  }
}

/** The failure for a request without an answer. */
export function networkFailure(error: unknown, url: URL): string {
  const code = codeOf(error)
  switch (code) {
    case 'ECONNREFUSED':
      return `Nothing answers at ${url.origin}. Is the server running?`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `There is no host called ${url.hostname}.`
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
    case 'ERR_SSL_PACKET_LENGTH_TOO_LONG':
      return `${url.host} does not speak TLS. Is it http://${url.host}?`
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
      return `Nobody known here vouches for the certificate of ${url.host} (${code}). NODE_EXTRA_CA_CERTS names a file with those that do.`
    case 'CERT_HAS_EXPIRED':
      return `The certificate of ${url.host} has expired.`
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `The certificate at ${url.host} is one of another host.`
    case 'TimeoutError':
      return `${url.origin} took too long to answer.`
    default:
      return `${url.href} cannot be read: ${textOf(error)}`
  }
}

/** The code of a system error, which may be the cause of the cause. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (error.name === 'TimeoutError') return error.name
  if ('code' in error && typeof error.code === 'string') return error.code
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause
  return codeOf(inner)
}

/** The message of `fetch` alone says only that it failed. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}
