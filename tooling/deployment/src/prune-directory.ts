import { lstatSync, readdirSync, rmSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { type InstalledFile, isUnneeded } from './unneeded.ts'

/**
 * Removes from a deployed server the files that no program reads.
 *
 * @param machine `linux-x64`, as native code is named for it.
 * @returns the bytes of what it removed.
 */
export function pruneDirectory(directory: string, machine: string): number {
  const unneeded = filesBelow(directory).filter((file) =>
    isUnneeded(installedFile(relative(directory, file)), machine),
  )
  const bytes = unneeded.reduce((sum, file) => sum + lstatSync(file).size, 0)
  for (const file of unneeded) rmSync(file)
  return bytes
}

/** Without what symbolic links lead to: pnpm links each package into those that depend on it. */
function filesBelow(directory: string): readonly string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) return filesBelow(path)
    return entry.isFile() ? [path] : []
  })
}

/** The package of a path is the last in it; before the first `node_modules` it is the server. */
function installedFile(path: string): InstalledFile {
  const words = path.split(sep)
  const start = words.lastIndexOf('node_modules') + 1
  if (start === 0) return { packageName: '@engine/server', path: words.join('/') }
  const count = words[start]?.startsWith('@') ? 2 : 1
  return {
    packageName: words.slice(start, start + count).join('/'),
    path: words.slice(start + count).join('/'),
  }
}
