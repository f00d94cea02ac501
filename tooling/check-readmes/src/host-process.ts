import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout } from 'node:timers/promises'

/** A server in a process of its own. */
export interface HostProcess {
  /** Sends a request over a new connection. */
  ask(question: Question): Promise<HostAnswer>
  /** Sends a stop signal, and waits until the process has ended. */
  stop(): Promise<void>
}

export interface Question {
  readonly path: string
  /** Sent as JSON with POST; GET without. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Local address of the connection; 127.0.0.1 by default. */
  readonly from?: string
  /** Address to connect to; 127.0.0.1 by default. */
  readonly at?: string
}

export interface HostAnswer {
  readonly status: number
  readonly headers: NodeJS.Dict<string | string[]>
  readonly text: string
}

/**
 * Starts a program that listens at `PORT`, and waits until it does.
 *
 * @param command program and arguments.
 * @throws {Error} with its output when it ends instead, or takes longer than `timeoutMs`.
 */
export async function startHost(
  [program, ...words]: readonly [string, ...(readonly string[])],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly timeoutMs: number },
): Promise<HostProcess> {
  const port = await freePort()
  const env = { ...options.env, PORT: String(port), HOST: '127.0.0.1' }
  const child = spawn(program, words, { cwd: options.cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const output: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk))
  const said = () => Buffer.concat(output).toString()
  const isListening = await waitUntilListening(child, port, options.timeoutMs)
  if (!isListening) {
    await end(child, 'SIGKILL')
    throw new Error(`${program} ${words.join(' ')} does not listen\n${said()}`)
  }
  return { ask: (question) => ask(port, question), stop: () => end(child, 'SIGTERM') }
}

async function waitUntilListening(
  child: ChildProcess,
  port: number,
  timeoutMs: number,
): Promise<boolean> {
  let hasFailed = false
  child.once('error', () => {
    hasFailed = true
  })
  for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; ) {
    if (hasFailed || child.exitCode !== null || child.signalCode !== null) return false
    const answer = await ask(port, { path: '/' }).catch(() => undefined)
    if (answer !== undefined) return true
    await setTimeout(50)
  }
  return false
}

function ask(port: number, { path, body, headers, from, at }: Question): Promise<HostAnswer> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const outgoing = request({
      host: at ?? '127.0.0.1',
      port,
      path,
      agent: false,
      method: text === undefined ? 'GET' : 'POST',
      headers: {
        ...(text === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(from === undefined ? {} : { localAddress: from }),
    })
    outgoing.on('error', reject)
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('error', reject)
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('end', () =>
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      )
    })
    outgoing.end(text)
  })
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill(signal)
  await exit
}
