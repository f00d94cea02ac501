import type { ReactNode } from 'react'
import css from './sparkline.module.css'

const [width, height] = [120, 24]

/** The course of a value, without axes; beside it stands the value itself. */
export function Sparkline({ values }: { readonly values: readonly (number | null)[] }): ReactNode {
  const highest = Math.max(1e-9, ...values.map((value) => value ?? 0))
  const step = width / Math.max(1, values.length - 1)
  const points = values.map(
    (value, index) =>
      `${(index * step).toFixed(1)},${(height - 1 - ((value ?? 0) / highest) * (height - 2)).toFixed(1)}`,
  )
  return (
    <svg
      className={css['line']}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {values.length > 1 && <polyline points={points.join(' ')} />}
    </svg>
  )
}
