/** @module One server with two workers, and connections to one of them. */
import { Agent, request } from 'node:http'
import Database from 'better-sqlite3'
import type { ConfigFile } from '../../src/configuration/define-config.ts'
import { authSecret, masterKey } from '../support/accounts.ts'
import { createProgram, type Program } from '../support/program.ts'
import type { ReadyLine, ServerProcess } from '../support/server-process.ts'

export interface Workers {
  readonly program: Program
  readonly server: ServerProcess
  readonly line: ReadyLine & { readonly workers: number }
  /** Writes the configuration anew, with changes. */
  configure(changes: Partial<ConfigFile>): void
  /** The process ids of the workers, by their numbers. */
  pids(): Promise<ReadonlyMap<number, number>>
  close(): Promise<void>
}

/** Rows of `main.notes` are everyone's with the role `user`. */
export async function startWorkers(
  changes: Partial<ConfigFile> = {},
  env: Readonly<Record<string, string>> = { NODE_ENV: 'production' },
): Promise<Workers> {
  const program = createProgram()
  const notes = new Database(`${program.folder.path}/notes.db`)
  notes.exec(
    "create table notes (id integer primary key, note text); insert into notes values (1, 'x')",
  )
  notes.close()
  const configure = (more: Partial<ConfigFile>) => {
    const config: ConfigFile = {
      port: 0,
      workers: 2,
      connections: { main: 'notes.db' },
      service_db: 'service.db',
      masterKey,
      auth: { secret: authSecret, throttle: false },
      permissions: [
        { name: 'notes', table: 'main.notes', roles: ['user'], select: {}, insert: {}, update: {} },
      ],
      pgWire: { port: 0, auth: { strategy: ['apiKey'] }, catalog: 'builtin' },
      internal: { port: 0 },
      ...changes,
      ...more,
    }
    program.folder.write('engine.config.json', JSON.stringify(config))
  }
  configure({})
  const server = program.start([], env)
  try {
    const line = (await server.readyLine()) as Workers['line']
    return {
      program,
      server,
      line,
      configure,
      pids: async () => {
        const { workers } = await statusOf(line.http)
        return new Map(workers.map(({ worker, pid }) => [worker, pid]))
      },
      close: program.close,
    }
  } catch (error) {
    await program.close()
    throw error
  }
}

/** A connection that is kept: all its requests reach the same worker. */
export interface Pinned {
  readonly worker: number
  ask(method: string, path: string, options?: AskOptions): Promise<Answer>
  close(): void
}

export interface AskOptions {
  readonly token?: string
  readonly body?: object
}

export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: its shape is up to the test
  readonly body: any
}

/** Connects until the connection is that of the worker. */
export async function connectTo(url: string, worker: number): Promise<Pinned> {
  for (;;) {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const ask: Pinned['ask'] = (method, path, options) => send(agent, method, url + path, options)
    const { body } = await ask('GET', '/admin/api/status', { token: masterKey })
    if (body.worker === worker) return { worker, ask, close: () => agent.destroy() }
    agent.destroy()
  }
}

/** A request over a connection of its own, which any worker may accept. */
export function askAny(url: string, path: string, options?: AskOptions): Promise<Answer> {
  const method = options?.body === undefined ? 'GET' : 'POST'
  return send(new Agent({ keepAlive: false }), method, url + path, options)
}

interface Status {
  readonly worker: number
  readonly workers: readonly { readonly worker: number; readonly pid: number }[]
}

export async function statusOf(url: string): Promise<Status> {
  return (await askAny(url, '/admin/api/status', { token: masterKey })).body as Status
}

export function readNote(id: number): object {
  return { sql: 'select note from main.notes where id = $1', params: [id], method: 'all' }
}

function send(
  agent: Agent,
  method: string,
  url: string,
  { token, body }: AskOptions = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    const asked = request(url, { agent, method, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const isJson = response.headers['content-type']?.startsWith('application/json') === true
        resolve({ status: response.statusCode ?? 0, body: isJson ? JSON.parse(text) : text })
      })
    })
    asked.on('error', reject)
    asked.end(body === undefined ? undefined : JSON.stringify(body))
  })
}
