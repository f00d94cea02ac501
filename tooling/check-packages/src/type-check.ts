import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Project } from './project.ts'
import { repositoryRoot, type WorkspacePackage } from './workspace.ts'

/** How a user's compiler finds packages: as Node.js does, or as a bundler. */
export type ModuleResolution = 'nodenext' | 'bundler'

/**
 * The compiler's errors for the types of installed packages: every entry point is imported, and files in `node_modules`
 * are checked too. An entry point for an optional peer dependency (`@engine/client/kysely`) needs that to be installed.
 *
 * @returns its lines about packages of this repository and `programs`; errors of other packages are left out.
 */
export async function checkTypes(
  { directory, installed }: Pick<Project, 'directory' | 'installed'>,
  packages: readonly WorkspacePackage[],
  programs: readonly string[],
  resolution: ModuleResolution = 'nodenext',
): Promise<readonly string[]> {
  const listed = packages.map((each) => entryPoints(each, installed))
  const entries = (await Promise.all(listed)).flat()
  const imports = entries.map((name, index) => `export * as entry${index} from '${name}'\n`)
  await writeFile(join(directory, 'entries.ts'), imports.join(''))
  const files = ['entries.ts', ...programs]
  const compilerOptions = { ...commonOptions, ...resolutions[resolution] }
  await writeFile(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
  const tsc = join(repositoryRoot, 'node_modules', 'typescript', 'bin', 'tsc')
  const output = await outputOf([tsc, '--pretty', 'false', '-p', directory], directory)
  const isOurs = (line: string): boolean =>
    /^node_modules\/.*@engine|^[\w-]+\.ts\(|^error/.test(line)
  return output.split('\n').filter(isOurs)
}

/** The options of a strict user, without our own condition. */
const commonOptions = {
  target: 'es2024',
  lib: ['es2024', 'dom'],
  strict: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  skipLibCheck: false,
  types: ['node'],
  typeRoots: [join(repositoryRoot, 'node_modules', '@types')],
}

const resolutions = {
  nodenext: { module: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
} as const

async function entryPoints(
  { name, directory }: WorkspacePackage,
  installed: ReadonlySet<string>,
): Promise<readonly string[]> {
  const manifest = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8'))
  const peers = Object.keys(manifest.peerDependencies ?? {})
  const missing = peers.filter((peer) => !installed.has(peer))
  const paths = Object.keys(manifest.exports).filter(
    (path) => !path.endsWith('.json') && !missing.includes(path.slice(2)),
  )
  return paths.map((path) => `${name}${path.slice(1)}`)
}

function outputOf(words: readonly string[], cwd: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, words, { cwd }, (_, stdout, stderr) => resolve(stdout + stderr))
  })
}
