import { GatewayError } from '@engine/core'

/** An error in the form of the log. */
export interface ErrorDescription {
  readonly type: string
  readonly message: string
  readonly code?: string
  readonly stack?: string
  readonly cause?: ErrorDescription
}

/** Maximum depth of nested errors. */
const maxDepth = 5

/**
 * Name, message, code, stack and cause, and no other property of an error. Drivers add rows, statements, parameters and
 * connection strings to their errors.
 */
export function describeError(error: unknown, depth: number = 0): ErrorDescription {
  if (!(error instanceof Error))
    return { type: typeof error, message: 'something that is no error' }
  const code = error instanceof GatewayError ? error.problem : codeOf(error)
  const { cause } = error
  return {
    type: error.name,
    message: error.message,
    ...(code === undefined ? {} : { code }),
    ...(error.stack === undefined ? {} : { stack: error.stack }),
    ...(cause === undefined || depth >= maxDepth ? {} : { cause: describeError(cause, depth + 1) }),
  }
}

function codeOf(error: Error): string | undefined {
  const code = 'code' in error ? error.code : undefined
  return typeof code === 'string' || typeof code === 'number' ? String(code) : undefined
}
