import type { MetricsPoint } from '../../api/answers.ts'

/** One line of a chart. */
export interface Series {
  readonly label: string
  /** A custom property: `--accent`. */
  readonly color: string
  readonly read: (point: MetricsPoint, stepSeconds: number) => number | null
}
