/** @module The metadata of a package in a registry. */
import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { publishablePackages, repositoryRoot } from './workspace.ts'

const repository = 'https://github.com/engine/engine'

describe.each(publishablePackages())('$name', ({ directory }) => {
  const path = relative(repositoryRoot, directory).replaceAll('\\', '/')

  test('says what it is, where its source is and where to report a bug', async () => {
    const manifest = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8'))
    expect(manifest).toMatchObject({
      description: expect.stringMatching(/\.$/),
      license: 'MIT',
      homepage: `${repository}/tree/main/${path}#readme`,
      repository: { type: 'git', url: `git+${repository}.git`, directory: path },
      bugs: `${repository}/issues`,
    })
  })

  test('can be found by several keywords, each once', async () => {
    const { keywords } = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8'))
    expect(keywords.length).toBeGreaterThan(2)
    expect(keywords).toEqual([...new Set(keywords)])
    for (const keyword of keywords) expect(keyword).toMatch(/^[a-z]+(?:-[a-z]+)*$/)
  })
})
