import { fetchKeySet } from '@engine/auth'
import type { AuthSettings } from '@engine/core/server'
import { type Finding, fault, ok } from './finding.ts'
import { reasonOf } from './reason-of.ts'

/** Checks that key sets of issuers can be fetched from their URLs, and used. */
export async function checkIssuers({ issuers }: AuthSettings): Promise<readonly Finding[]> {
  const checks = issuers.map(async ({ keys }, i): Promise<readonly Finding[]> => {
    return keys.from === 'url' ? [await checkKeys(`auth.issuers.${i}.jwksUri`, keys.url)] : []
  })
  return (await Promise.all(checks)).flat()
}

async function checkKeys(about: string, url: string): Promise<Finding> {
  try {
    const { keys } = await fetchKeySet(url, new AbortController().signal)
    return keys.length === 0
      ? fault(about, 'has no key that can be used: no token of the issuer is accepted')
      : ok(about, `${keys.length} keys`)
  } catch (error) {
    return fault(about, `its keys cannot be had: ${reasonOf(error, url)}`)
  }
}
