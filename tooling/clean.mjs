// @ts-check
/** Removes what was built, so that a release holds nothing of a source that is gone. */
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
