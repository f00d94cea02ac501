/** @module Cancels requests that still run when the server stops. */
import { GatewayError } from '@engine/core'
import { createLiveList, type LiveEntry, type LiveList } from '@engine/core/server'

/** The connection of a request. */
export interface Connected {
  /** The client has closed the connection. */
  readonly isAbandoned: () => boolean
  /** @param callback is called once when the client closes the connection, at once where it has. */
  readonly onAbandoned: (callback: () => void) => void
  /** The connection itself, where `onAbandoned` is about all its requests: they share one signal. */
  readonly connection?: object | undefined
}

export interface Cancellation {
  enter(client: Connected): Guard
  /** Cancels running requests, and refuses new ones. */
  cancelAll(): void
}

/** Runs one request. */
export interface Guard {
  /** Aborts when the client closes the connection, and when the server stops. */
  signal(): AbortSignal
  /**
   * Calls one of the two, once, at once where the work does not wait.
   *
   * @param fail with `unavailable` (503) when the server stops first; with the error of the work.
   */
  run<T>(
    work: () => T | Promise<T>,
    succeed: (result: T) => void,
    fail: (error: unknown) => void,
  ): void
}

/**
 * A request that does not react to its signal is answered after this many milliseconds: a cancelled statement first reports
 * whether it was rolled back.
 */
export const cancellationGraceMs = 2_000

/** Shared by all requests of a server. */
interface ServerState {
  isOver: boolean
  readonly running: LiveList<RunningRequest>
  readonly ofConnections: WeakMap<object, AbortController>
}

export function createCancellation(): Cancellation {
  const server: ServerState = {
    isOver: false,
    running: createLiveList<RunningRequest>(),
    ofConnections: new WeakMap(),
  }
  return {
    enter: (client) => new RunningRequest(server, client),
    cancelAll: () => {
      server.isOver = true
      const requests = [...server.running]
      for (const request of requests) request.abort()
      const late = () => {
        for (const request of requests) {
          request.fail(
            stopping('The server is stopping: it is not known what became of the request.'),
          )
        }
      }
      setTimeout(late, cancellationGraceMs)
    },
  }
}

/** A class, since every request has one: methods cost nothing where closures are allocated. */
class RunningRequest implements Guard {
  readonly #server: ServerState
  readonly #client: Connected
  #controller: AbortController | undefined
  /** Set while the work has not answered. */
  #entry: LiveEntry<RunningRequest> | undefined
  #fail: ((error: unknown) => void) | undefined

  constructor(server: ServerState, client: Connected) {
    this.#server = server
    this.#client = client
  }

  signal(): AbortSignal {
    this.#controller ??= controllerOf(this.#server, this.#client)
    if (this.#server.isOver) this.#controller.abort()
    return this.#controller.signal
  }

  run<T>(
    work: () => T | Promise<T>,
    succeed: (result: T) => void,
    fail: (error: unknown) => void,
  ): void {
    if (this.#server.isOver) {
      fail(stopping('The server is stopping.'))
      return
    }
    this.#entry = this.#server.running.add(this)
    this.#fail = fail
    settle(
      work,
      (result) => {
        if (this.#end()) succeed(result)
      },
      (error) => this.fail(error),
    )
  }

  abort(): void {
    this.#controller?.abort()
  }

  /** Answers with the error, unless it has been answered. */
  fail(error: unknown): void {
    if (!this.#end()) return
    const isOurs = this.#server.isOver && isCancelled(error) && !this.#client.isAbandoned()
    this.#fail?.(
      isOurs ? stopping('The server is stopping: the request was cancelled.', error) : error,
    )
  }

  /** Returns false where it had ended before. */
  #end(): boolean {
    if (this.#entry === undefined) return false
    this.#server.running.remove(this.#entry)
    this.#entry = undefined
    return true
  }
}

/** Making a controller takes longer than the rest of this file: a connection with many requests has one. */
function controllerOf(
  { ofConnections }: ServerState,
  { connection, onAbandoned }: Connected,
): AbortController {
  const known = connection && ofConnections.get(connection)
  if (known !== undefined) return known
  const controller = new AbortController()
  if (connection !== undefined) ofConnections.set(connection, controller)
  onAbandoned(() => controller.abort())
  return controller
}

/** At once where the work does not wait. */
function settle<T>(
  work: () => T | Promise<T>,
  succeed: (result: T) => void,
  fail: (error: unknown) => void,
): void {
  let answer: T | Promise<T>
  try {
    answer = work()
  } catch (error) {
    fail(error)
    return
  }
  if (answer instanceof Promise) answer.then(succeed, fail)
  else succeed(answer)
}

/** SQLSTATE of a statement that was cancelled. */
function isCancelled(error: unknown): error is GatewayError {
  return error instanceof GatewayError && error.sqlState === '57014'
}

function stopping(message: string, cause?: GatewayError): GatewayError {
  return new GatewayError('unavailable', message, {
    sqlState: '57P01',
    ...(cause === undefined ? {} : { cause }),
  })
}
