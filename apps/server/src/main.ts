#!/usr/bin/env node
/** @module The entry point of the program: prepares V8 before other modules are loaded. */
import { enableCodeCache } from './code-cache.ts'
import { restartWithSmallYoungGeneration } from './v8-memory.ts'

restartWithSmallYoungGeneration()
enableCodeCache(process.env)
await import('./program.ts')
