/** @module The built site on loopback. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type PageServer, startPageServer } from '@engine/test-browser'
import { siteFolder } from '../src/pages/folders.ts'

/** Serves what was built last. */
export async function serveSite(): Promise<PageServer> {
  const server = await startPageServer()
  const paths = globSync('**/*.*', { cwd: siteFolder }).map((path) => path.replaceAll('\\', '/'))
  server.show(new Map(paths.map((path) => [`/${path}`, readFileSync(join(siteFolder, path))])))
  return server
}

/** One page of each kind. */
export const samplePages: Readonly<Record<string, string>> = {
  home: '/index.html',
  guide: '/permission-cookbook.html',
  tables: '/configuration.html',
  reference: '/reference/constructs.html',
  program: '/reference/api/client.html',
}
