import { createRequire } from 'node:module'

const description = createRequire(import.meta.url)('../package.json') as {
  readonly version: string
}

/** Of this program, as it was published. */
export const version: string = description.version
