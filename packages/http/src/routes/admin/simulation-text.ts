import type { Simulation } from '@engine/core'

/** A simulation as JSON. Contains the body that `/data` would have sent, unchanged. */
export function simulationText(simulation: Simulation): string {
  if (simulation.outcome !== 'answered') return JSON.stringify(simulation)
  const { body, ...rest } = simulation
  return `${JSON.stringify(rest).slice(0, -1)},"body":${bodyText(body)}}`
}

export function bodyText(body: string | Uint8Array): string {
  return typeof body === 'string' ? body : Buffer.from(body).toString()
}
