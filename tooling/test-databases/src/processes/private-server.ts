/** @module Starts a private database server of any kind. */
import { chownSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './free-port.ts'
import { freezeTree, signalTree } from './process-tree.ts'
import { type ServerProcess, startProcess, tailOf } from './server-process.ts'
import { type ServerUser, serverUser } from './server-user.ts'

/** A private database server on the loopback interface. */
export interface PrivateServer {
  /** With a user who has all rights. It stays the same over restarts. */
  readonly url: string
  /** Stops all its processes: connections stay open, but the server does not answer. Linux only. */
  readonly freeze: () => void
  /** Continues its processes. */
  readonly thaw: () => void
  /** Ends it like a crash: connections break, no data is written. `restart` recovers. */
  readonly kill: () => Promise<void>
  /** Starts it again on the same port with the same data, ending it first if it runs. */
  readonly restart: () => Promise<void>
  /** Ends it permanently and removes its files. */
  readonly stop: () => Promise<void>
}

/** The environment of a server. */
export interface ServerHome {
  /** A separate directory. */
  readonly path: string
  /** The user that runs it; undefined = our own. */
  readonly user: ServerUser | undefined
}

/** How a kind of server is started. */
export interface ServerRecipe {
  /** `PostgreSQL` */
  readonly name: string
  /** Users that may run it when we are root, best first. */
  readonly users: readonly string[]
  /** The text in its log when another process uses its port. */
  readonly portTaken: string
  readonly signals: {
    readonly crash: NodeJS.Signals
    /** The signal that ends it quickly, with data written. */
    readonly end: NodeJS.Signals
  }
  /** Creates its data directory. */
  prepare(home: ServerHome): PreparedServer
}

export interface PreparedServer {
  urlOf(port: number): string
  /** Its program and arguments. */
  command(port: number): {
    readonly path: string
    readonly arguments: readonly string[]
    readonly env: NodeJS.ProcessEnv
  }
  /** Connects to the URL and disconnects, or rejects. */
  greet(url: string): Promise<void>
}

const portAttempts = 5
const startTimeoutMs = 60_000

/**
 * Starts a server of that kind on a free port.
 *
 * @throws {Error} when it does not start.
 */
export async function startPrivateServer(recipe: ServerRecipe): Promise<PrivateServer> {
  const user = serverUser(recipe.users)
  const directory = `engine-${recipe.name.toLowerCase()}-`
  const home: ServerHome = { path: mkdtempSync(join(realpathSync(tmpdir()), directory)), user }
  const remove = (): void => rmSync(home.path, { recursive: true, force: true })
  try {
    if (user) chownSync(home.path, user.uid, user.gid)
    const prepared = recipe.prepare(home)
    const start = (port: number): Promise<ServerProcess> => launch(recipe, prepared, home, port)
    const { port, started } = await startOnFreePort(recipe, start)
    let running = started
    return {
      url: prepared.urlOf(port),
      freeze: () => freezeTree(running.pid),
      thaw: () => signalTree(running.pid, 'SIGCONT'),
      kill: () => running.end(recipe.signals.crash),
      restart: async () => {
        await running.end(recipe.signals.end)
        running = await start(port)
      },
      stop: async () => {
        await running.end(recipe.signals.end)
        remove()
      },
    }
  } catch (error) {
    remove()
    throw error
  }
}

async function startOnFreePort(
  { portTaken }: ServerRecipe,
  start: (port: number) => Promise<ServerProcess>,
): Promise<{ readonly port: number; readonly started: ServerProcess }> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort()
    try {
      return { port, started: await start(port) }
    } catch (error) {
      const isTaken = error instanceof Error && error.message.includes(portTaken)
      if (!isTaken || attempt === portAttempts) throw error
    }
  }
}

/** Starts the server and waits until it answers. */
async function launch(
  { name, signals }: ServerRecipe,
  prepared: PreparedServer,
  { path, user }: ServerHome,
  port: number,
): Promise<ServerProcess> {
  const log = join(path, 'log')
  writeFileSync(log, '')
  const server = startProcess({
    ...prepared.command(port),
    cwd: path,
    user,
    log,
    endSignal: signals.end,
  })
  const deadline = Date.now() + startTimeoutMs
  while (!(await answers(prepared, port))) {
    if (!server.isRunning()) throw new Error(`${name} ended at its start:\n${tailOf(log)}`)
    if (Date.now() > deadline) {
      await server.end(signals.crash)
      throw new Error(`${name} did not answer in ${startTimeoutMs} ms:\n${tailOf(log)}`)
    }
    await sleep(20)
  }
  return server
}

async function answers(prepared: PreparedServer, port: number): Promise<boolean> {
  try {
    await prepared.greet(prepared.urlOf(port))
    return true
  } catch {
    // Not ready: refused, or still starting. The caller tries again until its deadline.
    return false
  }
}
