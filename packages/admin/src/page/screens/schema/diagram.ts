/** @module Where the tables of a diagram of relations stand. */
import type { RelationshipDescription } from '@engine/contract'

export interface DiagramNode {
  readonly relation: string
  /** `main.orders` */
  readonly table: string
  /** `customer_id → id` */
  readonly columns: string
  /** `n : 1`: rows at both ends of the line, from left to right. */
  readonly ends: string
  /** Where that is written, beside the line. */
  readonly endsY: number
  readonly x: number
  readonly y: number
  /** The line from the table in the middle, as a path of SVG. */
  readonly line: string
}

export interface Diagram {
  readonly width: number
  readonly height: number
  readonly middle: { readonly x: number; readonly y: number }
  readonly nodes: readonly DiagramNode[]
  /** Relations for which there is no room. */
  readonly more: number
}

export const nodeWidth = 216
export const nodeHeight = 44

const width = 760
const rowHeight = 56
const mostOnSide = 10
const middleX = (width - nodeWidth) / 2

/** Tables with many rows for one of this table stand on the left, those with one row on the right. */
export function diagramOf(relations: Readonly<Record<string, RelationshipDescription>>): Diagram {
  const all = Object.entries(relations)
  const left = all.filter(([, { type }]) => type.endsWith('-to-many'))
  const right = all.filter(([, { type }]) => !type.endsWith('-to-many'))
  const shown = [left.slice(0, mostOnSide), right.slice(0, mostOnSide)] as const
  const rows = Math.max(1, ...shown.map(({ length }) => length))
  const height = rows * rowHeight
  const centre = height / 2
  const nodes = shown.flatMap((side, index) =>
    side.map(([relation, { table, type, from, to }], row): DiagramNode => {
      const isLeft = index === 0
      const x = isLeft ? 0 : width - nodeWidth
      const y = ((row + 0.5) * height) / side.length - nodeHeight / 2
      const start = isLeft ? middleX : middleX + nodeWidth
      const end = isLeft ? x + nodeWidth : x
      const bend = (start + end) / 2
      const endY = y + nodeHeight / 2
      return {
        relation,
        table,
        columns: `${listed(from)} → ${listed(to)}`,
        ends: isLeft ? `n : ${rowsHere(type)}` : `${rowsHere(type)} : 1`,
        endsY: endY + (endY > centre ? 18 : -8),
        x,
        y,
        line: `M${start} ${centre} C${bend} ${centre} ${bend} ${endY} ${end} ${endY}`,
      }
    }),
  )
  return {
    width,
    height,
    middle: { x: middleX, y: centre - nodeHeight / 2 },
    nodes,
    more: all.length - nodes.length,
  }
}

/** Rows of the table in the middle, for one of the other. */
function rowsHere(type: string): 'n' | '1' {
  return type.startsWith('many') ? 'n' : '1'
}

function listed(columns: string | readonly string[]): string {
  return [columns].flat().join(', ')
}
