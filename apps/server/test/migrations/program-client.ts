/** @module Clients of other languages: programs that take probes line by line, see `programs/probe.py`. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { driverJar, python } from '@engine/wire-clients'
import {
  type Outcome,
  outcomeOfError,
  type ProbeClient,
  type WireAddress,
} from './probe-clients.ts'

const programs = join(import.meta.dirname, 'programs')

export function psycopgClient(address: WireAddress): ProbeClient {
  return programClient('psycopg', address, python, [join(programs, 'probe.py')])
}

export function jdbcClient(address: WireAddress): ProbeClient {
  const options = ['-XX:TieredStopAtLevel=1', '-Dfile.encoding=UTF-8', '-Duser.timezone=UTC']
  const words = [...options, '-cp', driverJar, join(programs, 'Probe.java')]
  return programClient('pgjdbc', address, 'java', words)
}

function programClient(
  name: string,
  { host, port, password }: WireAddress,
  path: string,
  words: readonly string[],
): ProbeClient {
  const child = spawn(path, words, {
    env: {
      PATH: process.env['PATH'],
      LC_ALL: 'C.UTF-8',
      TZ: 'UTC',
      WIRE_HOST: host,
      WIRE_PORT: String(port),
      WIRE_PASSWORD: password,
    },
  })
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const errors = collect(child)
  return {
    name,
    callers: ['admin'],
    send: async ({ sql, params = [] }) => {
      child.stdin.write(`${[sql, ...params].join('\t')}\n`)
      const { value, done } = await answers.next()
      if (done) throw new Error(`${name} ended: ${errors()}`)
      return outcomeOf(value)
    },
    close: async () => {
      const closed = once(child, 'close')
      child.stdin.end()
      await closed
    },
  }
}

function collect({ stderr }: ChildProcessWithoutNullStreams): () => string {
  let text = ''
  stderr.setEncoding('utf8').on('data', (part: string) => {
    text += part
  })
  return () => text
}

function outcomeOf(line: string): Outcome {
  const [kind, first = '', message = ''] = line.split('\t')
  if (kind === 'error') return outcomeOfError(first, message.replace(/^ERROR: /, ''))
  const rows = first.split('\u001e').slice(1)
  return {
    kind: 'rows',
    rows: rows.map((row) => row.split('\u001f').map((cell) => (cell === '\0' ? null : cell))),
  }
}
