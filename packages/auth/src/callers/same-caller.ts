import type { Caller } from '@engine/core'
import { LRUCache } from 'lru-cache'

/** Maximum number of cached callers. */
const remembered = 5_000

/**
 * Returns the caller object of the last request again where nothing about it has changed: the engine caches values for
 * each caller object.
 *
 * @returns a function of the credential's id and the current caller.
 */
export function createSameCaller(): (credential: string, caller: Caller) => Caller {
  const known = new LRUCache<string, { readonly caller: Caller; readonly content: string }>({
    max: remembered,
  })
  return (credential, caller) => {
    const content = contentOf(caller)
    if (content === undefined) return caller
    const last = known.get(credential)
    if (last?.content === content) return last.caller
    known.set(credential, { caller, content })
    return caller
  }
}

/** @returns undefined when the application added a field that JSON cannot represent, such as a bigint. */
function contentOf(caller: Caller): string | undefined {
  try {
    return JSON.stringify(caller)
  } catch {
    return undefined
  }
}
