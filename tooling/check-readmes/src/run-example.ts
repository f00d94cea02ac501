import { type SpawnOptionsWithoutStdio, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Example } from './find-examples.ts'

/** The result of an example. */
export interface ExampleOutcome {
  /** 0 when it ran to its end; null when it was stopped after the time limit. */
  readonly exitCode: number | null
  /** Its whole output. */
  readonly output: string
}

/**
 * Runs an example against the sources: TypeScript as if it were a file in `directory`, a shell in an empty folder with
 * the programs of this repository in its path.
 *
 * @param timeoutMs time limit
 */
export async function runExample(
  { language, code }: Pick<Example, 'language' | 'code'>,
  directory: string,
  timeoutMs: number,
): Promise<ExampleOutcome> {
  if (language === 'ts') {
    const words = [...sourceFlags, '--input-type=module-typescript', '-']
    return run(process.execPath, words, { cwd: directory, timeout: timeoutMs }, code)
  }
  const folder = await mkdtemp(join(tmpdir(), 'engine-example-'))
  try {
    const { NODE_ENV: _, ENGINE_CONFIG: __, ...inherited } = process.env
    const path = [programs, dirname(process.execPath), inherited['PATH']].join(delimiter)
    const options = { cwd: folder, timeout: timeoutMs, env: { ...inherited, PATH: path } }
    return await run('sh', ['-eu'], options, code)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Scripts that run a program of the workspace from its sources. */
const programs = fileURLToPath(new URL('../bin', import.meta.url))

function run(
  program: string,
  words: readonly string[],
  options: SpawnOptionsWithoutStdio,
  code: string,
): Promise<ExampleOutcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, options)
    const chunks: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.on('error', reject)
    child.on('close', (exitCode) => resolve({ exitCode, output: Buffer.concat(chunks).toString() }))
    child.stdin.end(code)
  })
}

const sourceFlags = ['--conditions=@engine/source', '--disable-warning=ExperimentalWarning']
