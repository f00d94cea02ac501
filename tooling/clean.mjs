// @ts-check
/** Removes build output, so that a release contains no output of deleted sources. */
import { readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

for (const group of ['packages', 'apps', 'tooling']) {
  for (const entry of readdirSync(join(root, group), { withFileTypes: true })) {
    if (entry.isDirectory()) {
      rmSync(join(root, group, entry.name, 'dist'), { recursive: true, force: true })
    }
  }
}
