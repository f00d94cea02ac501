import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const places = ['/usr/bin', '/usr/local/bin', '/opt/homebrew/bin']

/**
 * Path of a Redis or Valkey server on the PATH, or in the usual places of distributions; undefined where there is none.
 */
export function findRedis(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const path = (env['PATH'] ?? '').split(delimiter).filter((place) => place !== '')
  return [...path, ...places]
    .flatMap((place) => [join(place, 'redis-server'), join(place, 'valkey-server')])
    .find((program) => existsSync(program))
}
