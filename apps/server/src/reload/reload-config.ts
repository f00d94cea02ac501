/** @module Applies the configuration file to the running server again: when it was saved, or on SIGHUP. */
import { GatewayError } from '@engine/core'
import { type Fault, invalidConfiguration, openModeWarning, parseConfig } from '@engine/core/server'
import type { ConfigFile } from '../configuration/define-config.ts'
import { parseServerConfig, type ServerConfig } from '../configuration/parse-server-config.ts'
import type { Logger } from '../logging/logger.ts'
import type { RunningServer } from '../serve.ts'
import { refusalOf } from './refusal.ts'
import { createFileWatch } from './watch-files.ts'

export interface ReloadOptions {
  readonly server: RunningServer
  readonly log: Logger
  /** The configuration that the server was started with. */
  readonly started: ServerConfig
  /** Loads the configuration file as it is now. @throws {GatewayError} `invalidConfiguration`. */
  readonly load: () => Promise<ConfigFile>
  /** The files that it comes from; the first is the configuration file. */
  readonly files: ReadonlySet<string>
}

/** Loads the file and applies it. An error is logged and shown to administrators, and the server goes on as it is. Calls run one after the other. */
export type Reload = () => Promise<void>

export function createReload(options: ReloadOptions): Reload {
  const { server, log, started, load, files } = options
  const apply = async () => {
    const next = parseServerConfig(await load(), process.env)
    const { config } = next
    log.protect(config)
    const faults = ownFaults(started, next)
    if (faults.length > 0) throw invalidConfiguration(faults)
    const wasOpen = server.engine.isOpen
    await server.reconfigure(config)
    log.setLevel(parseConfig(config).log.level)
    if (server.engine.isOpen && !wasOpen) log.warn({}, openModeWarning)
    server.noteRefusal(undefined)
    log.info({}, 'the server has the configuration that the file contains now')
  }
  let last = Promise.resolve()
  return () => {
    last = last.then(apply).catch((err: unknown) => {
      server.noteRefusal(refusalOf(err, { files, nowMs: Date.now(), redact: log.redact }))
      const faults = err instanceof GatewayError ? err.details?.['faults'] : undefined
      log.error(
        faults === undefined ? { err } : { faults },
        'the server keeps its configuration: the file has errors',
      )
    })
    return last
  }
}

/** Reloads when one of the files has changed. @returns stops watching. */
export function reloadOnChange(reload: Reload, files: ReadonlySet<string>): () => void {
  const watch = createFileWatch(() => {
    void reload().then(() => watch.watch(files))
  })
  watch.watch(files)
  return watch.close
}

/** The server listens where it was started. */
function ownFaults(before: ServerConfig, after: ServerConfig): readonly Fault[] {
  const message = 'cannot change while the process runs: this option needs a restart'
  const options = {
    port: 'port',
    host: 'host',
    stopDelay: 'stopDelayMs',
    workers: 'workers',
  } as const
  return Object.entries(options)
    .filter(([, key]) => before[key] !== after[key])
    .map(([path]) => ({ path, message }))
}
