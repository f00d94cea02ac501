import type { GatewayError } from '../../foundation/errors.ts'
import type { QueryEnvironment } from '../query/query-environment.ts'
import { withFreshCatalog } from '../query/with-fresh-catalog.ts'

/**
 * `withFreshCatalog` for work that returns its error instead of throwing it. Returns the result of the last attempt.
 */
export async function retryWithFreshCatalog<T extends { readonly error: GatewayError | undefined }>(
  environment: QueryEnvironment,
  attempt: (touched: Set<string>) => T | Promise<T>,
): Promise<T> {
  const latest: { answer?: T } = {}
  try {
    const touched = new Set<string>()
    return await withFreshCatalog(environment, touched, async () => {
      const answer = await attempt(touched)
      latest.answer = answer
      if (answer.error !== undefined) throw answer.error
      return answer
    })
  } catch (error) {
    const { answer } = latest
    if (answer !== undefined && answer.error === error) return answer
    throw error
  }
}
