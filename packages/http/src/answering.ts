import { correlationIdOf } from './correlation-id.ts'
import { type ErrorPolicy, toErrorResponse } from './error-response.ts'

/** A request and the id under which it is logged. */
export interface Call {
  readonly request: Request
  readonly correlationId: string
}

/** Turns a function that answers or throws into one that always answers. */
export type Answering = (
  answer: (call: Call) => Response | Promise<Response>,
) => (context: { readonly req: { readonly raw: Request } }) => Promise<Response>

/** There is no middleware: one route is one function, and every error is answered in one place. */
export function createAnswering(policy: ErrorPolicy): Answering {
  return (answer) =>
    async ({ req: { raw } }) => {
      const correlationId = correlationIdOf(raw)
      try {
        return await answer({ request: raw, correlationId })
      } catch (error) {
        const isAbandoned = raw.signal.aborted
        return toErrorResponse(error, { ...policy, correlationId, isAbandoned })
      }
    }
}
