import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folderFiles } from './folder-files.ts'

/** The folder that was made. */
export interface NewFolder {
  /** Absolute. */
  readonly path: string
  /** Names of the files in it. */
  readonly files: readonly string[]
}

/**
 * Makes a folder with a `package.json`, a `tsconfig.json` and a `.gitignore`. Replaces nothing.
 *
 * @param path absolute; the folder may be there if it is empty, or has only a `.git`.
 * @throws {Error} when something is in it.
 *
 * @example
 * const { files } = createFolder(resolve('my-server'))
 */
export function createFolder(path: string): NewFolder {
  const present = existsSync(path) ? readdirSync(path).filter((name) => name !== '.git') : []
  if (present.length > 0) {
    throw new Error(
      `${path} is not empty. Choose another folder, or run in it: npm install @engine/server && npx engine-server init`,
    )
  }
  mkdirSync(path, { recursive: true })
  const texts = Object.entries(folderFiles(path))
  for (const [name, text] of texts) writeFileSync(join(path, name), text, { flag: 'wx' })
  return { path, files: texts.map(([name]) => name) }
}
