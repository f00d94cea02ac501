import { randomBytes } from 'node:crypto'
import type { DirectSubject } from './direct-subject.ts'

/** Creates a role that owns nothing, for statements with a caller's rights. */
export async function createCallerRole({ client }: DirectSubject): Promise<string> {
  const role = `fuzz_caller_${randomBytes(6).toString('hex')}`
  await client.query(`create role ${role}`)
  return role
}

/** Roles belong to the whole server: one that is not dropped would stay. */
export async function dropCallerRole({ client }: DirectSubject, role: string): Promise<void> {
  await client.query(`drop owned by ${role}; drop role ${role}`)
}
