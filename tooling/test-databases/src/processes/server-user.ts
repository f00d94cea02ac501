import { readFileSync } from 'node:fs'

/** A user of this machine. */
export interface ServerUser {
  readonly uid: number
  readonly gid: number
}

/**
 * The user that runs a database server: the first of `names` that this machine has, when we are root (servers refuse
 * root); undefined when we may run it ourselves.
 *
 * @throws {Error} when we are root and this machine has none of them.
 */
export function serverUser(names: readonly string[]): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined
  const users = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of names) {
    const [, , uid, gid] = users.find((line) => line.startsWith(`${name}:`))?.split(':') ?? []
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new Error(
    `a database server does not run as root, and there is no user ${names.join(' or ')}`,
  )
}
