/**
 * @module The address, exactly as it is written. The hooks of wouter decode it once and leave some characters encoded, so
 * that a name with `%41` could not be told from one with `A`.
 */
import { usePathname, useSearch } from 'wouter/use-browser-location'
import { base } from '../api/http.ts'

/** The part after `?`. */
export function useSearchText(): string {
  return useSearch().replace(/^\?/, '')
}

/** The decoded parts of the path below `/admin`: `['schema', 'main', 'orders']`. */
export function usePathParts(): readonly string[] {
  return usePathname()
    .slice(base.length)
    .split('/')
    .filter((part) => part !== '')
    .map(decoded)
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
