/** @module `pnpm docs:build` and `pnpm docs:dev`. */
import { watch } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '@engine/check-packages'
import { build, createServer } from 'vitepress'
import { deadLinks } from './links/dead-links.ts'
import { pagesFolder, siteFolder, siteRoot } from './pages/folders.ts'
import { updatePages, writePages } from './pages/write-pages.ts'
import { generatedPages } from './reference/generated-pages.ts'

const [command = 'build'] = process.argv.slice(2)

writePages(pagesFolder, await generatedPages())
if (command === 'dev') {
  const server = await createServer(siteRoot)
  await server.listen()
  server.printUrls()
  watch(join(repositoryRoot, 'docs'), { recursive: true }, (_, file) => {
    if (file?.endsWith('.md')) updatePages(pagesFolder)
  })
} else {
  await build(siteRoot)
  const dead = deadLinks(siteFolder)
  for (const link of dead) console.error(link)
  console.log(`${siteFolder}: ${dead.length} dead links`)
  process.exitCode = dead.length === 0 ? 0 : 1
}
