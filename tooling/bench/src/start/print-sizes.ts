/** @module What each package weighs: the file that is published, its content, and with everything that it brings. */
import { lstatSync, readdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  createProject,
  packPackage,
  publishablePackages,
  publishLocally,
  unpackedBytes,
} from '@engine/check-packages'

export async function printSizes(): Promise<void> {
  console.log('\nSize of packages, in kB: published file, content, installed with all dependencies')
  const registry = await publishLocally()
  try {
    for (const each of publishablePackages()) {
      const tarball = await packPackage(each)
      const project = await createProject(registry, [each.name], 'npm')
      const bytes = [
        statSync(tarball).size,
        await unpackedBytes(tarball),
        bytesBelow(join(project.directory, 'node_modules')),
      ]
      const columns = bytes.map((count) => (count / 1_000).toFixed(0).padStart(8))
      const others = project.installed.size - 1
      console.log(`  ${each.name.padEnd(26)}${columns.join('')}   ${others} other packages`)
      rmSync(dirname(tarball), { recursive: true })
      await project.remove()
    }
  } finally {
    await registry.stop()
  }
}

function bytesBelow(directory: string): number {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((path) => lstatSync(join(directory, path)))
    .reduce((sum, entry) => sum + (entry.isFile() ? entry.size : 0), 0)
}
