/** @module Statements of callers whose rights are being verified while they run: reads alone, and nothing is told before. */

/** See `QueryRequest.confirmed`. */
interface Confirmed {
  readonly confirmed?: Promise<boolean> | undefined
}

/** The caller is no longer what it was: nothing was changed, and nothing was told. */
export class CallerChanged extends Error {}

/** @throws {CallerChanged} when the caller has changed; the error of finding out. */
export async function requireConfirmed({ confirmed }: Confirmed): Promise<void> {
  if (confirmed === undefined || (await confirmed)) return
  throw new CallerChanged('the caller has changed')
}

/** Waits until the caller is confirmed before it returns an answer or an error. */
export function confirming<Request extends Confirmed, Others extends readonly unknown[], Answer>(
  run: (request: Request, ...others: Others) => Promise<Answer>,
): (request: Request, ...others: Others) => Promise<Answer> {
  const runConfirmed: typeof run = async (request, ...others) => {
    try {
      const answer = await run(request, ...others)
      await requireConfirmed(request)
      return answer
    } catch (error) {
      await requireConfirmed(request)
      throw error
    }
  }
  return (request, ...others) =>
    request.confirmed === undefined ? run(request, ...others) : runConfirmed(request, ...others)
}
