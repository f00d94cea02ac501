/** @module What holds for the built files of every published package. */
import { globSync, readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { bundleStale, publishedPackages, readManifest } from '../src/index.ts'

// Bundles what was not bundled: the time limit only has to be long enough.
vi.setConfig({ hookTimeout: 120_000 })

const packages = publishedPackages()
const named = (name: string): string => {
  const found = packages.find((directory) => readManifest(directory).name === name)
  if (found === undefined) throw new Error(`${name} is not published`)
  return found
}

beforeAll(() => bundleStale(packages))

describe.each(packages)('%s', (directory) => {
  const dist = join(directory, 'dist')

  test('every file that is started by its address was built', async () => {
    const started = globSync('src/**/*.ts', { cwd: directory })
      .filter((path) => !path.endsWith('.test.ts'))
      .map((path) => readFileSync(join(directory, path), 'utf8'))
      .filter((text) => text.includes('import.meta.url'))
      .flatMap((text) => [...text.matchAll(/'\.\/([\w-]+\.js)'/g)].map(([, name]) => name))
    expect(await readdir(dist)).toEqual(expect.arrayContaining(started))
  })

  test('a source map names the sources that are in the package', async () => {
    for (const name of (await readdir(dist)).filter((file) => file.endsWith('.js.map'))) {
      const { sources, sourcesContent } = JSON.parse(await readFile(join(dist, name), 'utf8'))
      const own = sources.filter((path: string) => !path.includes('node_modules'))
      expect(own.filter((path: string) => !path.startsWith('../src/'))).toEqual([])
      expect(sourcesContent ?? []).toEqual([])
    }
  })
})

test('a class is the same one from each entry point', async () => {
  const dist = join(named('@engine/core'), 'dist')
  const names = ['application.js', 'server.js', 'adapter.js']
  const modules = await Promise.all(
    names.map((name) => import(/* @vite-ignore */ pathToFileURL(join(dist, name)).href)),
  )
  const classes = modules.flatMap(({ GatewayError }) => GatewayError ?? [])
  expect(classes.length).toBeGreaterThan(1)
  expect(new Set(classes).size).toBe(1)
})

test('included code goes along with its licence', async () => {
  const path = join(named('@engine/core'), 'dist', 'licences-of-included-code.txt')
  const text = await readFile(path, 'utf8')
  expect(text).toMatch(/^kysely \d/m)
  expect(text).toMatch(/^zod \d/m)
  expect(text.match(/Permission is hereby granted/g)).toHaveLength(2)
})
