import { execFile } from 'node:child_process'
import { copyFile } from 'node:fs/promises'
import { basename, delimiter, dirname, join } from 'node:path'
import type { Project } from './project.ts'

/** The exit code and output of a program. */
export interface Outcome {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/**
 * Runs a program of a project: a name from an installed package, or `node`.
 *
 * @param timeoutMs time limit.
 */
export function runInProject(
  { directory }: Pick<Project, 'directory'>,
  program: string,
  words: readonly string[],
  timeoutMs = 25_000,
): Promise<Outcome> {
  const options = { cwd: directory, env: projectEnvironment(directory), timeout: timeoutMs }
  return new Promise((resolve, reject) => {
    const child = execFile(program, words, options, (_, stdout, stderr) => {
      if (child.exitCode !== null) resolve({ exitCode: child.exitCode, stdout, stderr })
      else reject(new Error(`${program} was stopped: ${child.signalCode}\n${stdout}${stderr}`))
    })
    child.on('error', reject)
    child.stdin?.end()
  })
}

/** Copies a TypeScript file into a project and runs it there. */
export async function runFile(
  project: Pick<Project, 'directory'>,
  file: string,
  words: readonly string[] = [],
): Promise<Outcome> {
  await copyFile(file, join(project.directory, basename(file)))
  return runInProject(project, process.execPath, [basename(file), ...words])
}

/** The environment of a user's terminal in the project: only the programs of its packages are in the path. */
export function projectEnvironment(directory: string): NodeJS.ProcessEnv {
  const {
    NODE_PATH: _,
    NODE_OPTIONS: __,
    NODE_ENV: ___,
    ENGINE_CONFIG: ____,
    ...rest
  } = process.env
  const programs = join(directory, 'node_modules', '.bin')
  const path = [programs, dirname(process.execPath), rest['PATH']].join(delimiter)
  return { ...rest, PATH: path }
}
