import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { readDeclaredChecks } from './declared-checks.ts'
import type { CheckResult, WireClient } from './wire-check.ts'
import type { WireTarget } from './wire-target.ts'

/** The folder of the programs; each client has its own folder in it. */
export const programs: string = fileURLToPath(new URL('../programs', import.meta.url))

/** How a client's program is started. */
export interface ProgramOptions {
  readonly name: string
  /** In `programs`: its sources declare the checks. */
  readonly folder: string
  /** @returns program and arguments */
  readonly command: () => readonly [path: string, ...words: string[]]
  readonly missing: () => string | undefined
}

/** A client whose checks are a program in another language, which prints a line of JSON for each. */
export function programClient({ name, folder, command, missing }: ProgramOptions): WireClient {
  return {
    name,
    checks: readDeclaredChecks(`${programs}/${folder}`),
    missing,
    run: async (target, firstId) => {
      const [path, ...words] = command()
      const child = spawn(path, words, {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: programEnvironment(target, firstId),
      })
      const [output, errors, [status]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'close'),
      ])
      if (status !== 0) throw new Error(`${name} ended with ${status}:\n${errors}`)
      return output
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as CheckResult)
    },
  }
}

export function programEnvironment(target: WireTarget, firstId: number): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    LC_ALL: 'C.UTF-8',
    TZ: 'UTC',
    PYTHONPATH: `${programs}/shared`,
    PYTHONDONTWRITEBYTECODE: '1',
    PYTHONWARNINGS: 'ignore',
    WIRE_HOST: target.host,
    WIRE_PORT: String(target.port),
    WIRE_USER: target.user,
    WIRE_PASSWORD: target.password,
    WIRE_DATABASE: target.database,
    WIRE_SERVER: target.server,
    WIRE_KIND: target.kind,
    WIRE_FIRST_ID: String(firstId),
  }
}

async function text(stream: NodeJS.ReadableStream): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}
