import type { RunningServer } from '../serve.ts'
import type { Addresses } from '../workers/questions.ts'

/** The addresses of the servers that were started. */
export function addressesOf({ url, pgWireAddress, internalUrl }: RunningServer): Addresses {
  return {
    http: url,
    ...(pgWireAddress === undefined ? {} : { pgWire: pgWireAddress }),
    ...(internalUrl === undefined ? {} : { internal: internalUrl }),
  }
}

/**
 * Prints the line of JSON that reports that the server is ready: for programs, so not at a terminal unless it is asked for.
 *
 * @param isAsked by `--json`.
 */
export function printReady(addresses: Addresses, isAsked: boolean, more: object = {}): void {
  if (process.stdout.isTTY && !isAsked) return
  process.stdout.write(`${JSON.stringify({ ready: true, ...addresses, ...more })}\n`)
}
