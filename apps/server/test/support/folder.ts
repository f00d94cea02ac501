import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** An empty folder for one test. */
export interface TestFolder {
  readonly path: string
  /** Writes a file, with the folders it needs, and gives its path. */
  write(name: string, content: string): string
  remove(): void
}

export function createFolder(): TestFolder {
  const path = mkdtempSync(join(tmpdir(), 'engine-server-'))
  return {
    path,
    write: (name, content) => {
      const file = join(path, name)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, content)
      return file
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  }
}
