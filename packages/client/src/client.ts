import type { BatchResponse, DataRequest, DataResponse, SchemaDocument } from '@engine/contract'
import { EngineError } from './engine-error.ts'
import { isRead } from './transport/is-read.ts'
import { type Call, createTransport, type TransportOptions } from './transport/transport.ts'
import { untilAborted } from './transport/until-aborted.ts'

/** Input and output of actions, by name; `engine-codegen` generates them as `Actions`. */
export type ActionTypes<Actions> = {
  readonly [Name in keyof Actions]: { readonly input: unknown; readonly output: unknown }
}

/** A source of tokens that change: a session of `@engine/client/auth` is one. */
export interface TokenSource {
  /** undefined: no user is signed in. */
  token(): string | undefined | Promise<string | undefined>
  /**
   * Called when the engine rejects this token.
   *
   * @returns true: there is another token; the request, which had no effect, is sent once more.
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: a listener may also return nothing
  refused?(token: string): void | boolean | Promise<boolean>
}

/** Options of `createClient`. */
export interface ClientOptions extends TransportOptions {
  /** A token, or a function that returns one; without a token, requests are anonymous. */
  readonly token?: string | (() => string | undefined | Promise<string | undefined>) | undefined
  /** Instead of `token`. */
  readonly session?: TokenSource | undefined
}

/** Options of a single request. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined
}

/** A client of one engine. Every method throws `EngineError`, or the reason of its signal. */
export interface Client<Actions extends ActionTypes<Actions> = AnyActions> {
  /** Runs one statement. A read is repeated when the engine was unavailable. */
  query(request: DataRequest, options?: CallOptions): Promise<DataResponse>
  /** Runs several statements on one connection in one transaction: all of them or none. */
  batch(
    statements: readonly DataRequest[],
    options?: CallOptions,
  ): Promise<BatchResponse['results']>
  /** Runs an action on the server; an action without parameters needs no input. */
  action<Name extends ActionsWithoutInput<Actions> & string>(
    name: Name,
  ): Promise<Actions[Name]['output']>
  action<Name extends keyof Actions & string>(
    name: Name,
    input: Actions[Name]['input'],
    options?: CallOptions,
  ): Promise<Actions[Name]['output']>
  /** `GET /schema`, with this client's token: it must be the token of the endpoint, where one is configured. */
  schema(options?: CallOptions): Promise<SchemaDocument>
}

/** Names of actions that can be run without an input. */
export type ActionsWithoutInput<Actions extends ActionTypes<Actions>> = {
  readonly [Name in keyof Actions]: undefined extends Actions[Name]['input'] ? Name : never
}[keyof Actions]

/** Any action, with any input and output. */
export type AnyActions = Record<string, { readonly input: unknown; readonly output: unknown }>

/** The methods of a client that queries need. */
export type QueryClient = Pick<Client<AnyActions>, 'query' | 'batch'>

/**
 * Makes a client of one engine. Nothing is sent before a method is called.
 *
 * @example
 * const client = createClient<Actions>({ url: 'https://data.example.com', token })
 * const { rows } = await client.query({ sql: 'select 1', params: [], method: 'all' })
 */
export function createClient<Actions extends ActionTypes<Actions> = AnyActions>(
  options: ClientOptions,
): Client<Actions> {
  const source = tokenSource(options)
  const transport = createTransport(options)
  const send = async (call: Omit<Call, 'token'>): Promise<unknown> => {
    const token = await untilAborted(() => source.token(), call.signal)
    try {
      return await transport({ ...call, token })
    } catch (error) {
      const isRefused = error instanceof EngineError && error.code === 'UNAUTHORIZED'
      if (!isRefused || token === undefined) throw error
      if ((await untilAborted(() => source.refused?.(token), call.signal)) !== true) throw error
      return transport({ ...call, token: await untilAborted(() => source.token(), call.signal) })
    }
  }
  return {
    query: async (request, { signal } = {}) => {
      const isRepeatable = isRead(request.sql)
      const call = { method: 'POST', path: '/data', body: request, isRepeatable, signal } as const
      return (await send(call)) as DataResponse
    },
    batch: async (statements, { signal } = {}) => {
      const isRepeatable = statements.every(({ sql }) => isRead(sql))
      const body = { statements }
      const call = { method: 'POST', path: '/data/batch', body, isRepeatable, signal } as const
      return ((await send(call)) as BatchResponse).results
    },
    action: (name: string, input?: unknown, { signal }: CallOptions = {}) => {
      const path = `/actions/${encodeURIComponent(name)}`
      return send({ method: 'POST', path, body: input, isRepeatable: false, signal })
    },
    schema: async ({ signal } = {}) => {
      const call = { method: 'GET', path: '/schema', isRepeatable: true, signal } as const
      return (await send(call)) as SchemaDocument
    },
  }
}

function tokenSource({ token, session }: ClientOptions): TokenSource {
  if (session !== undefined) return session
  return { token: typeof token === 'function' ? token : () => token }
}
