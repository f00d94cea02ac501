/** @module What several processes cannot share. */
import type { Config } from '@engine/core'
import type { Fault } from '@engine/core/server'

/** Databases in memory: each worker would have one of its own. */
export function unsharedDatabases({ connections, service_db: service }: Config): readonly Fault[] {
  const urls: (readonly [string, unknown])[] = [['service_db', service]]
  for (const [name, connection] of Object.entries(connections ?? {})) {
    const url: unknown =
      typeof connection === 'object' && connection !== null && 'url' in connection
        ? connection.url
        : connection
    urls.push([`connections.${name}`, url])
  }
  return urls
    .filter(([, url]) => typeof url === 'string' && isInMemory(url))
    .map(([path]) => ({
      path,
      message: 'is in the memory of one process: several workers need a file or a server',
    }))
}

function isInMemory(url: string): boolean {
  if (url === ':memory:') return true
  return /^file:/i.test(url) && /^file:(?:\/\/)?:memory:|[?&]mode=memory(?:&|$)/i.test(url)
}
