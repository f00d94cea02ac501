/** @module Why a module cannot be loaded: what is wrong, in which file and line, and what to do. */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { suggestion } from '@engine/core/server'

/** Packages of ours that a configuration, or a file beside it, may import. */
const ours = [
  'adapters-csv',
  'adapters-libsql',
  'adapters-mysql',
  'adapters-postgres',
  'adapters-sqlite',
  'auth',
  'client',
  'codegen',
  'contract',
  'core',
  'http',
  'pgwire',
  'server',
].map((name) => `@engine/${name}`)

/**
 * Describes an error of `import()`.
 *
 * @param files the module, and the files that it imports by path: one of them has a syntax error.
 */
export async function loadProblem(error: unknown, files: Iterable<string>): Promise<string> {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof SyntaxError) {
    const place = placeIn(error.stack ?? '') ?? (await placeBySyntaxCheck(files))
    return place === undefined ? error.message : `${error.message} (${place})`
  }
  return `${error.message}${installHint(error.message)}`
}

/**
 * Reads what Node writes above a syntax error, where it knows the place: `/app/engine.config.ts:4`, the line, and `^` below the wrong
 * part of it.
 *
 * @returns `/app/engine.config.ts:4:15`
 */
function placeIn(stack: string): string | undefined {
  const [above = ''] = stack.split(/^\w*Error\b/m)
  const [, file, line] = /^\s*(\S.*?)(?:\?\S*)?:(\d+)\n/.exec(above) ?? []
  if (file === undefined || line === undefined) return undefined
  const path = file.startsWith('file:') ? fileURLToPath(file) : file
  const column = /^ *(?=\^)/m.exec(above)?.[0].length
  return [path, line, ...(column === undefined ? [] : [column + 1])].join(':')
}

/** In JavaScript Node knows the place only while it checks a file by itself. */
async function placeBySyntaxCheck(files: Iterable<string>): Promise<string | undefined> {
  for (const file of files) {
    const { stderr } = await promisify(execFile)(process.execPath, ['--check', file]).catch(
      (error: { readonly stderr?: string }) => ({ stderr: error.stderr ?? '' }),
    )
    if (/^SyntaxError/m.test(stderr)) return placeIn(stderr)
  }
  return undefined
}

/** Proposes to install only what is surely meant: a misspelt name may be the package of someone else. */
function installHint(message: string): string {
  const [, name, importer = ''] =
    /^Cannot find package '([^']+)' imported from (\S+)/.exec(message) ?? []
  if (name === undefined) return ''
  if (ours.includes(name)) return ` (npm install ${name})`
  if (isDeclared(name, importer)) return ' (npm install: package.json names it)'
  return suggestion(name, ours) || ' (is the name right, and the package installed?)'
}

/** Whether the package.json that applies to a file names a package. */
function isDeclared(name: string, file: string): boolean {
  const folder = dirname(file)
  const manifest = join(folder, 'package.json')
  if (!existsSync(manifest)) return folder !== file && isDeclared(name, folder)
  try {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(manifest, 'utf8'))
    return Object.hasOwn({ ...dependencies, ...devDependencies }, name)
  } catch {
    return false
  }
}
