import { spawn } from 'node:child_process'
import type { Example } from './find-examples.ts'

/** How an example ended. */
export interface ExampleOutcome {
  /** 0 when it ran to its end; null when it was stopped for lasting too long. */
  readonly exitCode: number | null
  /** Everything it printed. */
  readonly output: string
}

/**
 * Runs an example against the sources, as if it were a file in `directory`.
 *
 * @param timeoutMs how long it may last
 */
export function runExample(
  { language, code }: Example,
  directory: string,
  timeoutMs: number,
): Promise<ExampleOutcome> {
  const [program, words] =
    language === 'ts'
      ? [process.execPath, [...sourceFlags, '--input-type=module-typescript', '-']]
      : ['sh', ['-eu']]
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { cwd: directory, timeout: timeoutMs })
    const chunks: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.on('error', reject)
    child.on('close', (exitCode) => resolve({ exitCode, output: Buffer.concat(chunks).toString() }))
    child.stdin.end(code)
  })
}

const sourceFlags = ['--conditions=@engine/source', '--disable-warning=ExperimentalWarning']
