/** @module What is compared on each database: the handler written by hand, and Engine with a credential of its caller. */
import type { MeasuredDatabase } from './databases.ts'
import type { MeasuredServer } from './measured-server.ts'
import type { PinnedServers } from './pinned-servers.ts'
import type { Load } from './send-requests.ts'
import { authorizationOf, type CredentialName, type SetupName, setupOf } from './setups.ts'
import { bodyOf, type Workload } from './workloads.ts'

/** One server under the load of one workload. */
export interface Contender {
  readonly title: string
  readonly server: MeasuredServer
  readonly loadOf: (workload: Workload) => Load
}

/** Like the program `engine-server`, which restarts itself with it. */
const programOptions = ['--max-semi-space-size=32']

export async function startByHand(
  servers: PinnedServers,
  { kind, url }: MeasuredDatabase,
  nodeOptions: readonly string[] = [],
): Promise<Contender> {
  const server = await servers.start('./handwritten-server.ts', [kind, url], nodeOptions)
  const loadOf = ({ name, params }: Workload): Load => ({
    url: server.url,
    requests: params.map((values) => ({
      path: `/${name}`,
      body: JSON.stringify({ params: values }),
    })),
    authorization: undefined,
  })
  return { title: 'by hand', server, loadOf }
}

/** Starts one server. @returns a contender for each credential. */
export async function startEngine(
  servers: PinnedServers,
  database: MeasuredDatabase,
  setup: SetupName,
  credentials: readonly CredentialName[],
  nodeOptions: readonly string[] = [],
): Promise<readonly Contender[]> {
  const config = JSON.stringify(setupOf(database, setup))
  const options = [...programOptions, ...nodeOptions]
  const server = await servers.start('./engine-server.ts', [config], options)
  const contenders: Contender[] = []
  for (const credential of credentials) {
    const authorization = await authorizationOf(server.url, setup, credential)
    const loadOf = (workload: Workload): Load => ({
      url: server.url,
      requests: workload.params.map((params) => ({
        path: '/data',
        body: bodyOf(workload, params),
      })),
      authorization,
    })
    const title = setup === 'open' ? setup : `${setup}, ${credential}`
    contenders.push({ title, server, loadOf })
  }
  return contenders
}
