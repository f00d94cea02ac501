import type { Contender } from './contenders.ts'
import { sendFirst } from './send-requests.ts'
import type { Workload } from './workloads.ts'

/** A comparison of servers with different answers would be worthless. @throws {Error} for another number of rows. */
export async function requireRows(
  { server, loadOf }: Contender,
  workload: Workload,
): Promise<void> {
  const response = await sendFirst(loadOf(workload))
  const text = await response.text()
  const answer = response.ok
    ? (JSON.parse(text) as { readonly rows: readonly unknown[] })
    : undefined
  if (answer?.rows.length !== workload.rows)
    throw new Error(`${server.url} answers ${workload.name} with ${text.slice(0, 300)}`)
}
