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

/** Prints the line that reports that the server is ready. */
export function printReady(addresses: Addresses, more: object = {}): void {
  process.stdout.write(`${JSON.stringify({ ready: true, ...addresses, ...more })}\n`)
}
