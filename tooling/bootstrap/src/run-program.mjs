// @ts-check
/** @module Runs programs, and ends them when this process ends. */
import { spawn, spawnSync } from 'node:child_process'
import { constants } from 'node:os'
import { basename, dirname } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

/** The directory of the repository. */
export const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))))
/** The descriptor for our own messages. */
const talk = process.argv[2] === 'test' ? 1 : 2
const diesWithParent = deathGuard()

/**
 * Runs a program, in the repository root unless another directory is given. It has a session of its own: a process that signals this script, or
 * its whole process group, ends the program with one signal, which lets it shut down in order.
 *
 * @param {string} program
 * @param {readonly string[]} programArguments
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, shell?: boolean, stdout?: 1 | 2 }} [options]
 *   `stdout` is the descriptor of ours that takes the program's stdout
 * @returns {Promise<number>} the exit code, or 128 + the number of the signal that ended it
 */
export function run(program, programArguments, { stdout = talk, ...options } = {}) {
  return start(program, programArguments, { ...options, stdio: ['inherit', stdout, talk] }).status
}

/**
 * Runs a program as `run` does, and collects its output, so that several can run at the same time.
 *
 * @param {string} program
 * @param {readonly string[]} programArguments
 * @param {{ env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<{ readonly status: number, readonly output: string }>} the status as of `run`
 */
export async function runCollecting(program, programArguments, options) {
  const stdio = /** @type {['ignore', 'pipe', 'pipe']} */ (['ignore', 'pipe', 'pipe'])
  const { child, status } = start(program, programArguments, { ...options, stdio })
  /** @type {Buffer[]} */
  const chunks = []
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (bytes) => chunks.push(bytes))
  return { status: await status, output: Buffer.concat(chunks).toString() }
}

/** The most characters of output that an error quotes. */
const mostQuoted = 4_000

/**
 * Runs a program as `run` does, and keeps its output for the error.
 *
 * @param {string} program
 * @param {readonly string[]} programArguments
 * @param {{ env?: NodeJS.ProcessEnv, shell?: boolean, onOutput?: (text: string) => void }} [options]
 * @throws {Error} with the end of its output, unless it ends with 0
 */
export async function runSilently(program, programArguments, { onOutput, ...options } = {}) {
  const stdio = /** @type {['ignore', 'pipe', 'pipe']} */ (['ignore', 'pipe', 'pipe'])
  const { child, status } = start(program, programArguments, { ...options, stdio })
  let output = ''
  const keep = (/** @type {Buffer} */ bytes) => {
    const text = bytes.toString()
    output = (output + text).slice(-mostQuoted)
    onOutput?.(text)
  }
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  const code = await status
  if (code === 0) return
  const name = [program, ...programArguments.slice(0, 2)].map((word) => basename(word)).join(' ')
  throw new Error(`${output.trim()}\n${name} ended with status ${code}`)
}

/**
 * @param {string} program
 * @param {readonly string[]} programArguments
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, shell?: boolean, stdio: import('node:child_process').StdioOptions }} options
 */
function start(program, programArguments, { cwd = root, env = process.env, shell = false, stdio }) {
  const [file = program, ...words] = [...diesWithParent, program, ...programArguments]
  const child = spawn(file, words, { cwd, env, shell, detached: !isWindows(), stdio })
  const stopWatching = onEnd((signal) => child.kill(signal))
  /** @type {Promise<number>} */
  const status = new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      resolve(code ?? 128 + (signal ? constants.signals[signal] : 0))
    })
  })
  return { child, status: status.finally(stopWatching) }
}

/**
 * Calls back when this script gets a stop signal. npm runs scripts in a shell that may die of a signal without
 * forwarding it; the end of that shell counts as a stop signal, too.
 *
 * @param {(signal: NodeJS.Signals) => void} end
 * @returns {() => void} stops watching
 */
function onEnd(end) {
  let wasAsked = false
  const ask = (/** @type {NodeJS.Signals} */ signal) => {
    wasAsked = true
    end(signal)
  }
  const interrupt = () => ask('SIGINT')
  const terminate = () => ask('SIGTERM')
  process.on('SIGINT', interrupt)
  process.on('SIGTERM', terminate)
  process.on('SIGHUP', terminate)
  const parent = process.ppid
  const watch = setInterval(() => {
    if (!process.env['npm_lifecycle_event'] || process.ppid === parent) return
    clearInterval(watch)
    if (!wasAsked) terminate()
  }, 200)
  return () => {
    process.off('SIGINT', interrupt)
    process.off('SIGTERM', terminate)
    process.off('SIGHUP', terminate)
    clearInterval(watch)
  }
}

/** A command prefix that sends the command a stop signal when this script is killed, where the system supports that. */
function deathGuard() {
  const guard = ['setpriv', '--pdeathsig', 'TERM']
  const [file = '', ...words] = [...guard, 'true']
  return spawnSync(file, words).status === 0 ? guard : []
}

/** @param {string} line */
export function say(line) {
  process[talk === 1 ? 'stdout' : 'stderr'].write(`${line}\n`)
}

export function isWindows() {
  return process.platform === 'win32'
}
