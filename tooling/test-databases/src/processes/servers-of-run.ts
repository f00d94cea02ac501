/** @module What a run says about its servers, for the program that runs all tests and for the table in the documentation. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A server that tests of the run used, or would have used. */
export type ServerOfRun =
  | { readonly name: string; readonly version: string; readonly tests: string }
  | { readonly name: string; readonly missing: string }

/** Read by `tooling/bootstrap/src/run-tests.mjs`. */
const file = fileURLToPath(
  new URL('../../../../node_modules/.cache/engine/test-servers.json', import.meta.url),
)

/** What runs on a server: everything, or what compares it with the other versions. */
export const extents = { all: 'all', comparing: 'adapter conformance, corpus of statements' }

/** The servers of the last run; it throws where there was none. */
export function readServersOfRun(): readonly ServerOfRun[] {
  return JSON.parse(readFileSync(file, 'utf8')) as readonly ServerOfRun[]
}

/** Writes the servers of the run that ends. */
export function writeServersOfRun(servers: readonly ServerOfRun[]): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(servers, undefined, 2)}\n`)
}
