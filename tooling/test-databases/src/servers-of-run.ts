/** @module What a run says about its servers, for the program that runs all tests and for the table in the documentation. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A server that tests of the run used, or would have used. */
export type ServerOfRun =
  | { readonly name: string; readonly version: string }
  | { readonly name: string; readonly missing: string }

/** Read by `tooling/bootstrap/src/run-tests.mjs`. */
const file = fileURLToPath(
  new URL('../../../node_modules/.cache/engine/test-servers.json', import.meta.url),
)

/** Writes the servers of the run that ends. */
export function writeServersOfRun(servers: readonly ServerOfRun[]): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(servers, undefined, 2)}\n`)
}
