/** @module A process that serves the measured database with a peer: a module of `tooling/bench/peers`, as installed. */
import type { Server } from 'node:net'
import { pathToFileURL } from 'node:url'
import { serveParent } from '../serve-parent.ts'
import { connections } from '../workloads.ts'

interface PeerModule {
  createPeer(options: {
    readonly url: string
    readonly secret: string
    readonly connections: number
  }): Promise<RunningPeer> | RunningPeer
}

interface RunningPeer {
  readonly server: Server
  close(): Promise<void>
}

const [path = '', url = '', secret = ''] = process.argv.slice(2)
const module = (await import(pathToFileURL(path).href)) as PeerModule
const { server, close } = await module.createPeer({ url, secret, connections })
await serveParent(server, close)
