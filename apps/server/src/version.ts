import { createRequire } from 'node:module'

const description = createRequire(import.meta.url)('../package.json') as {
  readonly version: string
}

/** The published version of this program. */
export const version: string = description.version
