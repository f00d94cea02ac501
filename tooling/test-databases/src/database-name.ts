import { randomBytes } from 'node:crypto'

/** A name that is new each time: the prefix, its purpose, random digits; valid on every server. */
export function databaseName(purpose: string, prefix: string): string {
  const word = purpose.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')
  return `${prefix}${word.slice(0, 24)}_${randomBytes(6).toString('hex')}`
}
