/** @module Removes from a deployed server the files that no program reads: `node prune.ts DIRECTORY`. */
import { pruneDirectory } from './prune-directory.ts'

const [directory] = process.argv.slice(2)
if (directory === undefined) throw new Error('Usage: node prune.ts DIRECTORY')

const bytes = pruneDirectory(directory, `${process.platform}-${process.arch}`)
console.log(`Removed ${Math.round(bytes / 1e6)} MB of files that no program reads.`)
