import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { writePrivateFile } from '../processes/private-file.ts'
import { type PrivateServer, startPrivateServer } from '../processes/private-server.ts'
import { findRedis } from './find-redis.ts'

/** A private Redis or Valkey, with a password in its URL. Its data is lost when it ends. */
export type RedisServer = PrivateServer

/** Why it is not available on this machine; undefined where it is. */
export function missingRedis(): string | undefined {
  return findRedis() === undefined ? 'no Redis: install redis-server' : undefined
}

/**
 * Starts a private Redis or Valkey.
 *
 * @throws {Error} when this machine has none (see `missingRedis`) or it does not start.
 */
export async function startRedis(): Promise<RedisServer> {
  const path = findRedis()
  if (path === undefined) throw new Error(missingRedis())
  const password = randomBytes(16).toString('hex')
  return startPrivateServer({
    name: 'Redis',
    users: ['redis', 'nobody'],
    portTaken: 'Address already in use',
    signals: { crash: 'SIGKILL', end: 'SIGTERM' },
    prepare: (home) => {
      const settings = ['save ""', 'appendonly no', 'bind 127.0.0.1', `requirepass ${password}`, '']
      const config = writePrivateFile(`${home.path}/redis.conf`, settings.join('\n'), home)
      return {
        urlOf: (port) => `redis://:${password}@127.0.0.1:${port}`,
        command: (port) => ({
          path,
          arguments: [config, '--port', String(port), '--dir', home.path],
          env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' },
        }),
        greet,
      }
    },
  })
}

/** Any answer counts: without its password it answers that it requires one. */
async function greet(url: string): Promise<void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('data', () => resolve()).once('error', reject)
      socket.once('close', () => reject(new Error('not yet')))
      socket.write('PING\r\n')
    })
  } finally {
    socket.destroy()
  }
}
