import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A package registry on loopback: it serves a few tarballs like published packages, and takes more of them. */
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

/** By name, then by version in the order of publication. */
type Packages = Map<string, Map<string, Published>>

/** @param tarballs paths of the output of `pnpm pack`. */
export async function startRegistry(tarballs: readonly string[]): Promise<Registry> {
  const packages: Packages = new Map()
  for (const published of await Promise.all(tarballs.map(readTarball))) add(packages, published)
  const server = createServer((request, response) => {
    answer(packages, request, response).catch((error: unknown) => {
      response.writeHead(500).end(JSON.stringify({ error: String(error) }))
    })
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

function add(packages: Packages, published: Published): void {
  const { name, version } = published.manifest
  const versions = packages.get(name) ?? new Map<string, Published>()
  packages.set(name, versions.set(version, published))
}

async function readTarball(path: string): Promise<Published> {
  const { stdout } = await run('tar', ['-xzOf', path, 'package/package.json'])
  return { manifest: JSON.parse(stdout), bytes: await readFile(path) }
}

/** `/@engine%2Fcore`, or `/@engine/core/-/0.2.0.tgz`. */
const requestPath = /^\/([^?]*?)(?:\/-\/([^?/]+)\.tgz)?(?:\?.*)?$/

async function answer(
  packages: Packages,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [, path = '', tarball] = requestPath.exec(request.url ?? '') ?? []
  const name = decodeURIComponent(path)
  response.setHeader('Content-Type', 'application/json')
  response.setHeader('Cache-Control', 'no-store')
  if (request.method === 'PUT') {
    const published = readPublication(JSON.parse(await text(request)))
    const { version } = published.manifest
    // As the npm registry: a version is published once.
    if (packages.get(name)?.has(version)) response.writeHead(403).end(refusal(name, version))
    else {
      add(packages, published)
      response.writeHead(201).end('{"ok":true}')
    }
    return
  }
  const versions = packages.get(name)
  if (versions === undefined) response.writeHead(404).end('{"error":"not_found"}')
  else if (tarball === undefined) {
    response.end(JSON.stringify(describePackage(name, versions, `http://${request.headers.host}`)))
  } else {
    const found = versions.get(decodeURIComponent(tarball))
    response.setHeader('Content-Type', 'application/octet-stream')
    response.writeHead(found === undefined ? 404 : 200).end(found?.bytes)
  }
}

function refusal(name: string, version: string): string {
  const error = `You cannot publish over the previously published versions: ${name} ${version}.`
  return JSON.stringify({ error })
}

/** The body of a publication: manifests by version, and the tarball as base64. */
interface Publication {
  readonly versions: Readonly<Record<string, Manifest>>
  readonly _attachments: Readonly<Record<string, { readonly data: string }>>
}

function readPublication({ versions, _attachments: attachments }: Publication): Published {
  const [manifest, ...otherVersions] = Object.values(versions)
  const [attachment, ...otherFiles] = Object.values(attachments)
  const others = otherVersions.length + otherFiles.length
  if (manifest === undefined || attachment === undefined || others > 0) {
    throw new Error('a publication has one version and one file')
  }
  return { manifest, bytes: Buffer.from(attachment.data, 'base64') }
}

/** A date long ago: package managers may refuse new packages. */
const publishedAt = '2020-01-01T00:00:00.000Z'

/** @see https://github.com/npm/registry/blob/main/docs/responses/package-metadata.md */
function describePackage(
  name: string,
  published: ReadonlyMap<string, Published>,
  origin: string,
): unknown {
  const versions = [...published].map(([version, { manifest, bytes }]) => {
    const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`
    const shasum = createHash('sha1').update(bytes).digest('hex')
    const tarball = `${origin}/${name}/-/${version}.tgz`
    return [version, { ...manifest, dist: { tarball, integrity, shasum } }] as const
  })
  const times = versions.map(([version]) => [version, publishedAt])
  return {
    name,
    'dist-tags': { latest: versions.at(-1)?.[0] },
    time: { created: publishedAt, modified: publishedAt, ...Object.fromEntries(times) },
    modified: publishedAt,
    versions: Object.fromEntries(versions),
  }
}

function close(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
