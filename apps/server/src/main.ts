#!/usr/bin/env node
/** @module The entry point of the program: prepares the process before other modules are loaded. */
import { enableCodeCache } from './code-cache.ts'
import { tooOldNode } from './node-version.ts'
import { loadEnvFile } from './reload/env-file.ts'
import { restartWithSmallYoungGeneration } from './v8-memory.ts'

const problem = tooOldNode(process.versions.node)
if (problem === undefined) {
  restartWithSmallYoungGeneration()
  loadEnvFile('.env', process.env)
  enableCodeCache(process.env)
  await import('./program.ts')
} else {
  process.stderr.write(`${problem}\n`)
  process.exitCode = 2
}
