import type { MetricsPoint } from '@engine/contract/admin-api'

/** One line of a chart. */
export interface Series {
  readonly label: string
  /** A custom property: `--accent`. */
  readonly color: string
  readonly read: (point: MetricsPoint, stepSeconds: number) => number | null
}
