/** @module The end of commands: exit codes, and the messages of failures. */
import { GatewayError } from '@engine/core'

/** Runs a command; an invalid configuration or argument exits with 2, any other failure with 1. */
export async function orExit(command: () => Promise<void>): Promise<void> {
  try {
    await command()
  } catch (error) {
    fail(error)
  }
}

export function fail(error: unknown): never {
  const isConfiguration = error instanceof GatewayError && error.problem === 'invalidConfiguration'
  process.stderr.write(`${failureText(error)}\n`)
  process.exit(isConfiguration ? 2 : 1)
}

/** An invalid argument: exits with 2, like an invalid configuration. */
export function wrongArgument(message: string): GatewayError {
  return new GatewayError('invalidConfiguration', message)
}

/** An error as one sentence that an operator can act on; for a bug, its stack. */
export function failureText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof GatewayError && error.problem !== 'internal') return error.message
  const { code, address, port } = error as NodeJS.ErrnoException & ListenFailure
  switch (code) {
    case 'EADDRINUSE':
      return `Cannot listen on ${address}:${port}: the port is in use. Choose another with --port.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `Cannot listen: this machine has no address ${address ?? 'of that name'}.`
    case 'EACCES':
      return `Cannot listen on ${address}:${port}: not permitted.`
    default:
      return error.stack ?? error.message
  }
}

interface ListenFailure {
  readonly address?: string
  readonly port?: number
}
