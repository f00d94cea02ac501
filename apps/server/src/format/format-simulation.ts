/** @module The result of a simulation, as text for a terminal. */
import type { Simulation } from '@engine/core'
import { formatRefusal } from './format-explanation.ts'
import { indented } from './lines.ts'

/** The parsed body of a simulated answer. */
export interface SimulatedBody {
  readonly rows: unknown
  readonly columns: readonly { readonly name: string; readonly type: string }[]
}

export function readBody(body: string | Uint8Array): SimulatedBody {
  return JSON.parse(bodyText(body)) as SimulatedBody
}

function bodyText(body: string | Uint8Array): string {
  return typeof body === 'string' ? body : Buffer.from(body).toString()
}

/** One JSON object; it contains the body as `/data` would have sent it. */
export function simulationJson(simulation: Simulation): string {
  if (simulation.outcome !== 'answered') return JSON.stringify(simulation, null, 2)
  const { body, ...rest } = simulation
  return `${JSON.stringify(rest).slice(0, -1)},"body":${bodyText(body)}}`
}

export function formatSimulation(simulation: Simulation): string {
  switch (simulation.outcome) {
    case 'notRun':
      return 'not run\n'
    case 'refused':
      return `${['refused; nothing was written', ...indented(formatRefusal(simulation))].join('\n')}\n`
    case 'answered': {
      const { status, rowCount, truncated, isWrite, body } = simulation
      const { rows, columns } = readBody(body)
      const count = `${rowCount} ${rowCount === 1 ? 'row' : 'rows'}`
      const heading = isWrite
        ? `${status}: ${count} written, and rolled back`
        : `${status}: ${count}${truncated ? ', more were cut off' : ''}`
      const list = Array.isArray(rows) && columns.length > 0 ? rows : []
      const header = columns.map(({ name }) => name).join(', ')
      const lines = list.map((row) => JSON.stringify(row))
      return `${[heading, ...indented(lines.length === 0 ? [] : [header, ...lines])].join('\n')}\n`
    }
  }
}
