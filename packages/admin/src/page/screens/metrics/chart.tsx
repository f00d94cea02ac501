/** @module A chart by uPlot: lines on a canvas, in the colours of the theme. The table beside it has the same values. */
import type { MetricsPoint } from '@engine/contract/admin-api'
import 'uplot/dist/uPlot.min.css'
import { type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react'
import uPlot from 'uplot'
import { clockTime } from '../../components/ago.ts'
import css from './metrics.module.css'
import type { Series } from './series.ts'

const height = 212

export function Chart({
  label,
  points,
  stepSeconds,
  series,
}: {
  readonly label: string
  readonly points: readonly MetricsPoint[]
  readonly stepSeconds: number
  readonly series: readonly Series[]
}): ReactNode {
  const place = useRef<HTMLDivElement>(null)
  const chart = useRef<uPlot>(null)
  const theme = useSyncExternalStore(whenThemeChanges, () => root.dataset['theme'])
  const data = useRef<uPlot.AlignedData>([[]])
  data.current = [
    points.map(({ at }) => Date.parse(at) / 1_000),
    ...series.map(({ read }) => points.map((point) => read(point, stepSeconds))),
  ]

  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has other colours
  useEffect(() => {
    const element = place.current
    if (element === null) return undefined
    const options = optionsOf(series, element.clientWidth)
    const made = new uPlot(options, data.current, element)
    chart.current = made
    const watch = new ResizeObserver(() => {
      made.setSize({ width: element.clientWidth, height })
    })
    watch.observe(element)
    return () => {
      watch.disconnect()
      made.destroy()
      chart.current = null
    }
  }, [series, theme])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the data are those of the points
  useEffect(() => {
    chart.current?.setData(data.current)
  }, [points])

  return (
    <div className={css['chart']}>
      <ul className={css['legend']}>
        {series.map((each) => (
          <li key={each.label}>
            <span style={{ background: `var(${each.color})` }} aria-hidden />
            {each.label}
          </li>
        ))}
      </ul>
      <div ref={place} role="img" aria-label={`${label}: its values are in the table beside`} />
    </div>
  )
}

const root = document.documentElement

function whenThemeChanges(listener: () => void): () => void {
  const watch = new MutationObserver(listener)
  watch.observe(root, { attributeFilter: ['data-theme'] })
  return () => watch.disconnect()
}

function optionsOf(series: readonly Series[], width: number): uPlot.Options {
  const style = getComputedStyle(root)
  const token = (name: string) => style.getPropertyValue(name).trim()
  const axis: uPlot.Axis = {
    stroke: token('--text-3'),
    font: '11px "Inter Variable", system-ui, sans-serif',
    grid: { stroke: token('--border'), width: 1 },
    ticks: { show: false },
  }
  return {
    width,
    height,
    padding: [8, 12, 0, 0],
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, points: { size: 6 } },
    scales: { y: { range: (_, __, highest) => [0, Math.max(1, highest ?? 0) * 1.1] } },
    axes: [
      { ...axis, size: 30, values: (_, times) => times.map((at) => clockTime(at * 1_000, false)) },
      { ...axis, size: 48 },
    ],
    series: [
      {},
      ...series.map(({ label, color }) => ({
        label,
        stroke: token(color),
        width: 1.5,
        points: { show: false },
      })),
    ],
  }
}
