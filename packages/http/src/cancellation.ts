/** @module Cancels requests that still run when the server stops. */
import { GatewayError } from '@engine/core'
import { createLiveList } from '@engine/core/server'

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
  readonly signal: () => AbortSignal
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

interface Running {
  controller: AbortController | undefined
  /** Set while the work has not answered. */
  abandon: ((error: unknown) => void) | undefined
}

export function createCancellation(): Cancellation {
  const running = createLiveList<Running>()
  const ofConnections = new WeakMap<object, AbortController>()
  let isOver = false
  /** Making one takes longer than the rest of this file: a connection with many requests has one. */
  const controllerOf = ({ connection, onAbandoned }: Connected): AbortController => {
    const known = connection && ofConnections.get(connection)
    if (known !== undefined) return known
    const controller = new AbortController()
    if (connection !== undefined) ofConnections.set(connection, controller)
    onAbandoned(() => controller.abort())
    return controller
  }
  return {
    enter: (client) => {
      const entry: Running = { controller: undefined, abandon: undefined }
      return {
        signal: () => {
          entry.controller ??= controllerOf(client)
          if (isOver) entry.controller.abort()
          return entry.controller.signal
        },
        run: (work, succeed, fail) => {
          if (isOver) {
            fail(stopping('The server is stopping.'))
            return
          }
          const held = running.add(entry)
          let hasEnded = false
          const end = (): boolean => {
            if (hasEnded) return false
            hasEnded = true
            running.remove(held)
            return true
          }
          entry.abandon = (error) => {
            if (!end()) return
            if (!isOver || !isCancelled(error) || client.isAbandoned()) fail(error)
            else fail(stopping('The server is stopping: the request was cancelled.', error))
          }
          settle(
            work,
            (result) => {
              if (end()) succeed(result)
            },
            entry.abandon,
          )
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
