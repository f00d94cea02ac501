/** @module The program as users start it, with a configuration file of its own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Config } from '@engine/core'

export interface ProgramServer {
  readonly url: string
  /** Of health and metrics; where the configuration has such a port. */
  readonly internalUrl: string | undefined
  /** Host and port of the wire protocol; where the configuration has it. */
  readonly pgWire: string | undefined
  readonly pid: number
  stop(): Promise<void>
}

/** Starts `engine-server` from its sources. @param nodeOptions options of Node.js, such as `--expose-gc`. */
export async function startProgram(
  config: Config,
  args: readonly string[],
  nodeOptions: readonly string[] = [],
): Promise<ProgramServer> {
  const folder = mkdtempSync(join(tmpdir(), 'engine-bench-'))
  writeFileSync(join(folder, 'engine.config.json'), JSON.stringify(config))
  const root = dirname(createRequire(import.meta.url).resolve('@engine/server/package.json'))
  const program = [...nodeOptions, '--conditions=@engine/source', join(root, 'src/main.ts')]
  const child = spawn(process.execPath, [...program, '--port', '0', ...args], {
    cwd: folder,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })
  const ended = once(child, 'exit')
  const ready = await Promise.race([once(lines, 'line'), ended.then(() => undefined)])
  if (ready === undefined) throw new Error('the program has ended')
  const { http, internal, pgWire } = JSON.parse(String(ready[0])) as {
    readonly http: string
    readonly internal?: string
    readonly pgWire?: string
  }
  return {
    url: http,
    internalUrl: internal,
    pgWire,
    pid: child.pid ?? 0,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
