/** @module Why a configuration file was refused, and where it is wrong: for administrators. */
import { relative } from 'node:path'
import { GatewayError } from '@engine/core'
import type { Fault } from '@engine/core/server'
import type { RefusedConfiguration } from '@engine/http'

export interface RefusalOptions {
  /** The files that the configuration consists of; the first is the configuration file. */
  readonly files: Iterable<string>
  /** Milliseconds since 1970. */
  readonly nowMs: number
  /** Takes secrets out of a text. */
  readonly redact: (text: string) => string
}

export function refusalOf(error: unknown, options: RefusalOptions): RefusedConfiguration {
  const { files, nowMs, redact } = options
  const [main = ''] = files
  const place = placeIn(error, files)
  return {
    at: new Date(nowMs).toISOString(),
    file: relative(process.cwd(), place?.file ?? main),
    line: place?.line ?? null,
    faults: faultsOf(error).map(({ path, message }) => ({ path, message: redact(message) })),
  }
}

function faultsOf(error: unknown): readonly Fault[] {
  const faults = error instanceof GatewayError ? error.details?.['faults'] : undefined
  if (Array.isArray(faults)) return faults
  return [{ path: '', message: error instanceof Error ? error.message : String(error) }]
}

interface Place {
  readonly file: string
  readonly line: number
}

/** The first place of one of the files in the stack of an error; Node names it for modules that do not compile, too. */
function placeIn(error: unknown, files: Iterable<string>): Place | undefined {
  const cause = error instanceof GatewayError ? error.cause : error
  const stack = cause instanceof Error ? cause.stack : undefined
  if (stack === undefined) return undefined
  for (const text of stack.split('\n')) {
    const file = [...files].find((path) => text.includes(path))
    const [, line] = /(?:\?again=[\w-]+)?:(\d+)/.exec(text.slice(positionAfter(text, file))) ?? []
    if (file !== undefined && line !== undefined) return { file, line: Number(line) }
  }
  return undefined
}

function positionAfter(text: string, file: string | undefined): number {
  return file === undefined ? text.length : text.indexOf(file) + file.length
}
