/** @module Cancels requests that still run when the server stops. */
import { GatewayError } from '@engine/core'
import { createLiveList } from '@engine/core/server'

/** The connection of a request. */
export interface Connected {
  /** The client has closed the connection. */
  readonly isAbandoned: () => boolean
  /** @param callback is called once when the client closes the connection, at once where it has. */
  readonly onAbandoned: (callback: () => void) => void
}

export interface Cancellation {
  enter(client: Connected): Guard
  /** Cancels running requests, and refuses new ones. */
  cancelAll(): void
}

/** Runs one request. */
export interface Guard {
  /** Aborts when the client closes the connection, and when the server stops. */
  readonly signal: () => AbortSignal
  /** @throws {GatewayError} `unavailable` (503) when the server stops first; errors of the work. */
  run<T>(work: () => T | Promise<T>): Promise<T>
}

/**
 * A request that does not react to its signal is answered after this many milliseconds: a cancelled statement first reports
 * whether it was rolled back.
 */
export const cancellationGraceMs = 2_000

interface Running {
  controller: AbortController | undefined
  /** Set while the work has not answered. */
  abandon: ((error: GatewayError) => void) | undefined
}

export function createCancellation(): Cancellation {
  const running = createLiveList<Running>()
  let isOver = false
  return {
    enter: (client) => {
      const entry: Running = { controller: undefined, abandon: undefined }
      return {
        signal: () => {
          entry.controller ??= controllerOf(client)
          if (isOver) entry.controller.abort()
          return entry.controller.signal
        },
        run: (work) => {
          if (isOver) return Promise.reject(stopping('The server is stopping.'))
          const held = running.add(entry)
          const end = () => running.remove(held)
          const failure = (error: unknown): unknown => {
            if (!isOver || !isCancelled(error) || client.isAbandoned()) return error
            return stopping('The server is stopping: the request was cancelled.', error)
          }
          return settled(entry, work, end, failure)
        },
      }
    },
    cancelAll: () => {
      isOver = true
      const entries = [...running]
      for (const { controller } of entries) controller?.abort()
      const late = () => {
        for (const { abandon } of entries) {
          abandon?.(stopping('The server is stopping: it is not known what became of the request.'))
        }
      }
      setTimeout(late, cancellationGraceMs)
    },
  }
}

/**
 * Runs the work; `entry.abandon` rejects instead of it. Every request passes here: one promise is enough.
 *
 * @param end called when the work has answered.
 * @param failure converts the work's error.
 */
function settled<T>(
  entry: Running,
  work: () => T | Promise<T>,
  end: () => void,
  failure: (error: unknown) => unknown,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const succeed = (result: T) => {
      end()
      resolve(result)
    }
    const fail = (error: unknown) => {
      end()
      reject(failure(error))
    }
    try {
      const answer = work()
      if (!(answer instanceof Promise)) return succeed(answer)
      entry.abandon = fail
      answer.then(succeed, fail)
    } catch (error) {
      fail(error)
    }
  })
}

/** Also aborts when the client closes the connection. */
function controllerOf({ onAbandoned }: Connected): AbortController {
  const controller = new AbortController()
  onAbandoned(() => controller.abort())
  return controller
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
