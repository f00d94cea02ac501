/** @module Clients that send requests of several kinds in turn, each as soon as its last one is answered. */
import { Agent, request } from 'node:http'
import type { Config } from '@engine/core'
import type { MeasuredDatabase } from '../load/databases.ts'
import { setupOf } from '../load/setups.ts'
import type { MixedRequest } from './mixed-requests.ts'

/** The reference server with everything on, and without throttles that would refuse the clients. */
export function mixedConfig(database: MeasuredDatabase): Config {
  const { config } = setupOf(database, 'all')
  return {
    ...config,
    auth: { ...(config.auth as object), throttle: false },
    schemaEndpoint: true,
    limits: { ...config.limits, maxConcurrentPerCaller: 200 },
  } as Config
}

export interface MixedClients {
  readonly url: string
  readonly authorization: string | undefined
  readonly requests: readonly MixedRequest[]
  readonly clients: number
}

/** @param isOver is asked before each request. @returns how often each request got each status. */
export async function sendMixed(
  { url, authorization, requests, clients }: MixedClients,
  isOver: () => boolean,
): Promise<ReadonlyMap<string, number>> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  const counts = new Map<string, number>()
  let number = 0
  const client = async (): Promise<void> => {
    while (!isOver()) {
      number += 1
      const sent = requests[number % requests.length] as MixedRequest
      const status = await send(agent, url, sent, number, authorization)
      const key = `${sent.title}: ${status}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  }
  try {
    await Promise.all(Array.from({ length: clients }, client))
  } finally {
    agent.destroy()
  }
  return counts
}

function send(
  agent: Agent,
  url: string,
  { method, path, body, isAnonymous }: MixedRequest,
  number: number,
  authorization: string | undefined,
): Promise<number> {
  const headers = {
    ...(isAnonymous === true || authorization === undefined ? {} : { authorization }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  }
  const address = url + path.replace('%n', String(number))
  return new Promise((resolve, reject) => {
    const sent = request(address, { agent, method, headers }, (response) => {
      response.on('error', reject)
      response.on('end', () => resolve(response.statusCode ?? 0))
      response.resume()
    })
    sent.on('error', reject)
    sent.end(body?.replaceAll('%n', String(number)))
  })
}
