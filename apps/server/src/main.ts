#!/usr/bin/env node
/** @module The entry point of the program: prepares the process before other modules are loaded. */
import { enableCodeCache } from './process/code-cache.ts'
import { tooOldNode } from './process/node-version.ts'
import { restartWithSmallYoungGeneration } from './process/v8-memory.ts'
import { loadEnvFile } from './reload/env-file.ts'

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
