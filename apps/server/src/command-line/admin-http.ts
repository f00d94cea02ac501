/** @module Calls of a running server's `/admin/api`, with the master key of the configuration. */
import { GatewayError } from '@engine/core'
import { reasonOf } from '@engine/core/server'
import { parseServerConfig, type ServerConfig } from '../configuration/parse-server-config.ts'
import { wrongArgument } from './outcome.ts'
import type { Options } from './read-options.ts'
import { configuration } from './with-engine.ts'

export interface AdminAnswer {
  readonly status: number
  readonly etag: string | null
  /** The parsed body. */
  readonly body: unknown
}

/** Sends a request. @throws {Error} when the server does not answer with JSON. */
export type CallAdmin = (
  method: string,
  path: string,
  request?: { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> },
) => Promise<AdminAnswer>

/** How long a server may take, in milliseconds. */
const timeoutMs = 60_000

/**
 * Options `--config` and `--url`; by default the server on this machine, at the configured port.
 *
 * @throws {GatewayError} `invalidConfiguration` without a master key.
 */
export async function adminOfServer(options: Options): Promise<CallAdmin> {
  return (await serverOf(options)).call
}

/** A running server, and its configuration as this machine has it. */
export interface AdministeredServer {
  readonly call: CallAdmin
  readonly config: ServerConfig['config']
  readonly url: string
}

/** As `adminOfServer`. */
export async function serverOf(options: Options): Promise<AdministeredServer> {
  const { config, port } = parseServerConfig(
    await configuration(options.text('config')),
    process.env,
  )
  const { masterKey } = config
  if (typeof masterKey !== 'string') {
    throw wrongArgument('The configuration has no masterKey: servers refuse the command')
  }
  const url = options.text('url') ?? `http://127.0.0.1:${port}`
  const call: CallAdmin = async (method, path, { body, headers = {} } = {}) => {
    const response = await askServer(new URL(`/admin/api${path}`, url), {
      method,
      headers: {
        Authorization: `Bearer ${masterKey}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const text = await response.text()
    return { status: response.status, etag: response.headers.get('etag'), body: parsed(url, text) }
  }
  return { call, config, url }
}

/** @throws {GatewayError} `unavailable` with the reason when nothing answers there. */
export async function askServer(url: URL, request: RequestInit): Promise<Response> {
  try {
    return await fetch(url, request)
  } catch (cause) {
    const message = `No server answers at ${url.origin}: ${reasonOf(cause)} (--url names another address)`
    throw new GatewayError('unavailable', message, { cause })
  }
}

function parsed(url: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new GatewayError('unavailable', `${url} does not answer with JSON`)
  }
}
