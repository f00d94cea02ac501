/** @module The JavaScript of one package: a file for each entry point, and files for what they share. */
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { type OutputAsset, type OutputChunk, rolldown } from 'rolldown'
import { entriesOf } from './entries.ts'
import { includedDependencies, isDependency } from './included-dependencies.ts'
import { licencesOf } from './licences.ts'
import { readManifest } from './published-packages.ts'
import { threadEntries } from './thread-entries.ts'

const licencesFile = 'licences-of-included-code.txt'

/**
 * Writes `dist/*.js` of a package. What several entry points use is in a file of its own, so that a class is one class
 * whichever of them it is imported from. Dependencies are
 * imported, with the exception of `includedDependencies`.
 *
 * @returns the names of the written files
 */
export async function bundlePackage(directory: string): Promise<readonly string[]> {
  const manifest = readManifest(directory)
  const isIncluded = includedDependencies(manifest)
  const bundle = await rolldown({
    cwd: directory,
    input: entriesOf(manifest),
    external: (id) => !id.startsWith('.') && !isAbsolute(id) && !isIncluded(id),
    platform: 'node',
    plugins: [threadEntries()],
    // An import of a dependency of which nothing is used would otherwise still load it.
    treeshake: { moduleSideEffects: (id, isExternal) => !isExternal && !isDependency(id) },
  })
  try {
    const { output: built } = await bundle.generate({
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
      sourcemap: true,
      // The sources are in the package.
      sourcemapExcludeSources: true,
    })
    const files = new Map(built.map((file) => [file.fileName, contentOf(file)]))
    const licences = licencesOf(
      built.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : [])),
    )
    if (licences !== undefined) files.set(licencesFile, licences)
    const dist = join(directory, 'dist')
    await mkdir(dist, { recursive: true })
    for (const [name, content] of files) await replaceFile(join(dist, name), content)
    await removeOthers(dist, files)
    return [...files.keys()]
  } finally {
    await bundle.close()
  }
}

function contentOf(file: OutputChunk | OutputAsset): string | Uint8Array {
  return file.type === 'chunk' ? file.code : file.source
}

/** In one step: another process may be reading the file, or writing the same. */
async function replaceFile(path: string, content: string | Uint8Array): Promise<void> {
  const unfinished = `${path}.${process.pid}.unfinished`
  await writeFile(unfinished, content)
  await rename(unfinished, path)
}

/** Built files of sources that no longer exist. */
async function removeOthers(dist: string, written: ReadonlyMap<string, unknown>): Promise<void> {
  for (const name of await readdir(dist)) {
    if (/\.js(?:\.map)?$|^licences/.test(name) && !written.has(name)) await rm(join(dist, name))
  }
}
