/** @module Statements of callers whose rights are being verified while they run: only reads, and nothing leaves before the confirmation. */

import { started } from '../../foundation/finishing.ts'

/** See `QueryRequest.confirmed`. */
interface Confirmed {
  readonly confirmed?: Promise<boolean> | undefined
}

/** The caller is no longer what it was: nothing was changed, and nothing left. */
export class CallerChanged extends Error {}

/** @throws {CallerChanged} when the caller has changed; the error of finding out. */
export async function requireConfirmed({ confirmed }: Confirmed): Promise<void> {
  if (confirmed !== undefined && !(await confirmed)) throw callerChanged()
}

/** Waits until the caller is confirmed before it returns an answer or an error. */
export function confirming<Request extends Confirmed, Others extends readonly unknown[], Answer>(
  run: (request: Request, ...others: Others) => Promise<Answer>,
): (request: Request, ...others: Others) => Promise<Answer> {
  const runConfirmed = async (confirmed: Promise<boolean>, running: Promise<Answer>) => {
    try {
      const answer = await running
      if (await confirmed) return answer
    } catch (error) {
      if (await confirmed) throw error
    }
    throw callerChanged()
  }
  return (request, ...others) => {
    const running = started(() => run(request, ...others))
    return request.confirmed === undefined ? running : runConfirmed(request.confirmed, running)
  }
}

function callerChanged(): CallerChanged {
  return new CallerChanged('the caller has changed')
}
