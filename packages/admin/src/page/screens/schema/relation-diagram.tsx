import type { RelationshipDescription } from '@engine/contract'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { shortText } from '../../components/visible-text.ts'
import { diagramOf, nodeHeight, nodeWidth } from './diagram.ts'
import css from './relation-diagram.module.css'
import { tablePath } from './table-path.ts'

/** A table, the tables that it has relations with, and the columns in between. */
export function RelationDiagram({
  name,
  relations,
}: {
  /** `main.orders` */
  readonly name: string
  readonly relations: Readonly<Record<string, RelationshipDescription>>
}): ReactNode {
  const { width, height, middle, nodes, more } = diagramOf(relations)
  if (nodes.length === 0) return null
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <div className={css['scroller']} tabIndex={0} role="region" aria-label="Diagram of relations">
      <svg
        className={css['diagram']}
        viewBox={`-1 -1 ${width + 2} ${height + 2}`}
        role="group"
        aria-label={`Tables around ${shortText(name, 80)}`}
      >
        {nodes.map(({ relation, line }) => (
          <path key={relation} className={css['line']} d={line} />
        ))}
        <Box {...middle} isMiddle title={name} />
        {nodes.map(({ relation, table, columns, ends, endsY, x, y }) => (
          <g key={relation}>
            <Link href={`/schema/${tablePath(table)}`} className={css['link']}>
              <Box x={x} y={y} title={table} detail={columns} />
            </Link>
            <text
              className={css['end']}
              x={x === 0 ? nodeWidth + 8 : x - 8}
              y={endsY}
              textAnchor={x === 0 ? 'start' : 'end'}
            >
              {ends}
            </text>
          </g>
        ))}
      </svg>
      {more > 0 && <p className={css['more']}>{more} more in the list.</p>}
    </div>
  )
}

function Box({
  x,
  y,
  title,
  detail,
  isMiddle = false,
}: {
  readonly x: number
  readonly y: number
  readonly title: string
  readonly detail?: string
  readonly isMiddle?: boolean
}): ReactNode {
  const centre = x + nodeWidth / 2
  return (
    <g className={css['box']} data-middle={isMiddle || undefined}>
      <rect x={x} y={y} width={nodeWidth} height={nodeHeight} rx={8} />
      <text
        className={css['title']}
        x={centre}
        y={y + (detail === undefined ? nodeHeight / 2 + 4 : 18)}
        textAnchor="middle"
      >
        {shortText(title, 28)}
      </text>
      {detail !== undefined && (
        <text className={css['detail']} x={centre} y={y + 34} textAnchor="middle">
          {shortText(detail, 34)}
        </text>
      )}
    </g>
  )
}
