#!/usr/bin/env node
/** @module The entry point of the program: sets V8's heap options before other modules are loaded. */
import { restartWithSmallYoungGeneration } from './young-generation.ts'

restartWithSmallYoungGeneration()
await import('./program.ts')
