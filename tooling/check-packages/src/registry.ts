import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A package registry on loopback that serves a few tarballs like published packages. */
export interface Registry {
  /** `http://127.0.0.1:4873/` */
  readonly url: string
  /**
   * An empty directory for pnpm's cache of registries: the cache is by host and port, so packages of another run could
   * be mistaken for these.
   */
  readonly cache: string
  stop(): Promise<void>
}

interface Manifest {
  readonly name: string
  readonly version: string
}

interface Published {
  readonly manifest: Manifest
  readonly bytes: Buffer
}

/** @param tarballs paths of the output of `pnpm pack`. */
export async function startRegistry(tarballs: readonly string[]): Promise<Registry> {
  const published = await Promise.all(tarballs.map(readTarball))
  const byName = new Map(published.map((each) => [each.manifest.name, each]))
  const server = createServer((request, response) => {
    const [, name = '', isTarball] = /^\/([^?]*?)(\/-\.tgz)?$/.exec(request.url ?? '') ?? []
    const found = byName.get(decodeURIComponent(name))
    if (found === undefined) response.writeHead(404).end('{}')
    else if (isTarball) response.end(found.bytes)
    else {
      response.setHeader('Content-Type', 'application/json')
      response.setHeader('Cache-Control', 'no-store')
      response.end(JSON.stringify(describePackage(found, `http://${request.headers.host}`)))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const cache = await mkdtemp(join(tmpdir(), 'engine-registry-'))
  return {
    url: `http://127.0.0.1:${port}/`,
    cache,
    stop: async () => {
      await close(server)
      await rm(cache, { recursive: true, force: true })
    },
  }
}

async function readTarball(path: string): Promise<Published> {
  const { stdout } = await run('tar', ['-xzOf', path, 'package/package.json'])
  return { manifest: JSON.parse(stdout), bytes: await readFile(path) }
}

/** A date long ago: package managers may refuse new packages. */
const publishedAt = '2020-01-01T00:00:00.000Z'

/** @see https://github.com/npm/registry/blob/main/docs/responses/package-metadata.md */
function describePackage({ manifest, bytes }: Published, origin: string): unknown {
  const { name, version } = manifest
  const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`
  const shasum = createHash('sha1').update(bytes).digest('hex')
  const tarball = `${origin}/${name}/-.tgz`
  return {
    name,
    'dist-tags': { latest: version },
    time: { created: publishedAt, modified: publishedAt, [version]: publishedAt },
    modified: publishedAt,
    versions: { [version]: { ...manifest, dist: { tarball, integrity, shasum } } },
  }
}

function close(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
