/** @module Removes from a deployed server the files that no program reads: `node prune.ts DIRECTORY`. */
import { lstatSync, readdirSync, rmSync } from 'node:fs'
import { join, sep } from 'node:path'
import { isUnneeded } from './unneeded.ts'

const [directory] = process.argv.slice(2)
if (directory === undefined) throw new Error('Usage: node prune.ts DIRECTORY')

let bytes = 0
for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue
  const file = join(entry.parentPath, entry.name)
  if (!isUnneeded(installedFile(file.slice(join(directory, sep).length)), machine())) continue
  bytes += lstatSync(file).size
  rmSync(file)
}
console.log(`Removed ${Math.round(bytes / 1e6)} MB of files that no program reads.`)

/** The package of a path is the last in it; before the first `node_modules` it is the server. */
function installedFile(path: string): { readonly packageName: string; readonly path: string } {
  const words = path.split(sep)
  const start = words.lastIndexOf('node_modules') + 1
  if (start === 0) return { packageName: '@engine/server', path: words.join('/') }
  const count = words[start]?.startsWith('@') ? 2 : 1
  return {
    packageName: words.slice(start, start + count).join('/'),
    path: words.slice(start + count).join('/'),
  }
}

function machine(): string {
  return `${process.platform}-${process.arch}`
}
