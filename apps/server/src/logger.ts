/** @module The log of the process: JSON lines on standard error, without secrets. */
import type { Log } from '@engine/core'
import { type DestinationStream, pino } from 'pino'
import { describeError } from './describe-error.ts'
import { createRedactor } from './redactor.ts'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

/** A log that can learn secrets, which it then never writes. */
export interface Logger extends Log {
  setLevel(level: LogLevel): void
  /** From now on, secrets of this configuration are not written, in any entry. */
  protect(config: unknown): void
  /** A text as it would be written. */
  redact(text: string): string
}

/** Fields with these names are not written, with any value. */
const redactedPaths = [
  'password',
  'token',
  'secret',
  'authorization',
  'masterKey',
  'cookie',
].flatMap((name) => [name, `*.${name}`, `*.*.${name}`])

/** @param destination standard error by default; written synchronously, so that nothing is lost at the end. */
export function createLogger(
  destination: DestinationStream = pino.destination({ dest: 2, sync: true }),
): Logger {
  const { redact, protect } = createRedactor()
  const log = pino(
    {
      redact: { paths: redactedPaths, censor: '[redacted]' },
      serializers: { err: describeError },
      hooks: { streamWrite: redact },
    },
    destination,
  )
  return {
    debug: (facts, message) => log.debug(facts, message),
    info: (facts, message) => log.info(facts, message),
    warn: (facts, message) => log.warn(facts, message),
    error: (facts, message) => log.error(facts, message),
    setLevel: (level) => {
      log.level = level
    },
    protect,
    redact,
  }
}
