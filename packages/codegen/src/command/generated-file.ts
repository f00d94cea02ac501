/** @module Writes the generated file atomically. */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'

/** The content of the file; undefined when there is none. */
export async function readGenerated(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/**
 * Replaces a file atomically: a concurrent reader sees the whole old file. Folders are created, a symbolic link stays
 * one, and the file keeps its mode.
 */
export async function writeGenerated(path: string, text: string): Promise<void> {
  await makeFolder(dirname(resolve(path)))
  const target = await targetOf(path)
  const temporary = join(dirname(target.path), `.${basename(target.path)}.${randomUUID()}.tmp`)
  try {
    const file = await open(temporary, 'wx', target.mode)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, target.path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/**
 * Also creates its parents. Node's own `recursive` never ends where a file system cannot create folders, such as
 * `/proc`.
 */
async function makeFolder(path: string): Promise<void> {
  if (existsSync(path)) return
  if (dirname(path) !== path) await makeFolder(dirname(path))
  try {
    await mkdir(path)
  } catch (error) {
    // Another process may have created it first.
    if (!existsSync(path)) throw error
  }
}

async function targetOf(path: string): Promise<{ readonly path: string; readonly mode: number }> {
  try {
    const real = await realpath(path)
    return { path: real, mode: (await stat(real)).mode }
  } catch (error) {
    if (isMissing(error)) return { path: resolve(path), mode: 0o666 }
    throw error
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
