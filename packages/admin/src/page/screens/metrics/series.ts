import type { MetricsPoint } from '../../api/answers.ts'

/** One line of a chart. */
export interface Series {
  readonly label: string
  /** A custom property: `--accent`. */
  readonly color: string
  readonly read: (point: MetricsPoint, stepSeconds: number) => number | null
}

/** 24 hours, so that it is short everywhere. */
export function clockTime(at: string | number, withSeconds: boolean): string {
  return new Date(at).toLocaleTimeString([], {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(withSeconds ? { second: '2-digit' } : {}),
  })
}
