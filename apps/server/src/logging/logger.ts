/** @module The log of the process on standard error, without secrets: lines of JSON, or for people at a terminal in development. */
import type { Log } from '@engine/core'
import { type DestinationStream, pino } from 'pino'
import { readableLog } from '../terminal/readable-log.ts'
import { isDeveloperAt, paintOn } from '../terminal/terminal.ts'
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

/** Written synchronously, so that nothing is lost at the end. */
function standardError(): DestinationStream {
  const { stderr, env } = process
  return isDeveloperAt(stderr, env)
    ? readableLog(stderr, paintOn(stderr))
    : pino.destination({ dest: 2, sync: true })
}

/** @param destination takes lines of JSON; standard error by default. */
export function createLogger(destination: DestinationStream = standardError()): Logger {
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
