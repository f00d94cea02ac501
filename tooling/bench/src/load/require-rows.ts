import type { Contender } from './contenders.ts'
import type { Workload } from './workloads.ts'

/** A comparison of servers with different answers would be worthless. @throws {Error} for another number of rows. */
export async function requireRows(
  { server, loadOf }: Contender,
  workload: Workload,
): Promise<void> {
  const { url, requests, authorization } = loadOf(workload)
  const { path = '', body = '' } = requests[0] ?? {}
  const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) }
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body })
  const text = await response.text()
  const answer = response.ok
    ? (JSON.parse(text) as { readonly rows: readonly unknown[] })
    : undefined
  if (answer?.rows.length !== workload.rows)
    throw new Error(`${server.url} answers ${workload.name} with ${text.slice(0, 300)}`)
}
