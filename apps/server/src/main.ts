#!/usr/bin/env node
/** @module Where the program begins: V8 is told how to keep house before anything else is loaded. */
import { restartWithSmallYoungGeneration } from './young-generation.ts'

restartWithSmallYoungGeneration()
await import('./program.ts')
