/** @module The grid of the matrix: a cell for each table and role. Only the rows in view are in the page. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, type ReactNode, useRef } from 'react'
import { classes } from '../../components/classes.ts'
import { EmptyState } from '../../components/states.tsx'
import { shortText } from '../../components/visible-text.ts'
import { type CellAccess, cellKey, operations } from './access.ts'
import { Glyph } from './glyph.tsx'
import css from './permissions.module.css'

const rowHeight = 34

/** Above it the names of roles stand upright, and cells are narrow. */
const mostWideRoles = 6

export function Grid({
  tables,
  roles,
  cells,
  chosen,
  onOpen,
  onChooseAll,
}: {
  readonly tables: readonly string[]
  readonly roles: readonly string[]
  readonly cells: ReadonlyMap<string, CellAccess>
  readonly chosen: ReadonlySet<string> | undefined
  readonly onOpen: (table: string, role: string) => void
  readonly onChooseAll: (keys: readonly string[]) => void
}): ReactNode {
  const isChoosing = chosen !== undefined
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: tables.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 6,
  })
  const style = { '--roles': roles.length } as CSSProperties
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <div className={css['scroller']} ref={scroller} tabIndex={0} role="region" aria-label="Matrix">
      <div
        role="table"
        aria-label="Permissions by table and role"
        aria-rowcount={tables.length + 1}
        className={classes(css['table'], roles.length > mostWideRoles && css['narrow'])}
        style={style}
      >
        <div role="rowgroup" className={css['head']}>
          <div role="row" aria-rowindex={1} className={css['row']}>
            <div role="columnheader" className={css['corner']}>
              {tables.length} tables
            </div>
            {roles.map((role) => (
              <div key={role} role="columnheader" className={css['role']} title={shortText(role)}>
                <Line
                  isChoosing={isChoosing}
                  label={`All tables for ${shortText(role, 60)}`}
                  onPress={() => onChooseAll(tables.map((table) => cellKey(table, role)))}
                >
                  {role === '*' ? 'signed in (*)' : shortText(role, 60)}
                </Line>
              </div>
            ))}
          </div>
        </div>
        <div role="rowgroup" className={css['body']} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const table = tables[index] ?? ''
            return (
              <div
                key={table}
                role="row"
                aria-rowindex={index + 2}
                className={classes(css['row'], css['line'])}
                style={{ transform: `translateY(${start}px)` }}
              >
                <div role="rowheader" className={css['name']} title={shortText(table)}>
                  <Line
                    isChoosing={isChoosing}
                    label={`All roles on ${shortText(table, 60)}`}
                    onPress={() => onChooseAll(roles.map((role) => cellKey(table, role)))}
                  >
                    {shortText(table)}
                  </Line>
                </div>
                {roles.map((role) => (
                  <Cell
                    key={role}
                    table={table}
                    role={role}
                    access={cells.get(cellKey(table, role))}
                    isChosen={chosen?.has(cellKey(table, role))}
                    onOpen={onOpen}
                  />
                ))}
              </div>
            )
          })}
        </div>
      </div>
      {tables.length === 0 && (
        <EmptyState title="No table matches">Change the search or the filters.</EmptyState>
      )}
    </div>
  )
}

/** The name of a row or a column; while cells are chosen, a button for all of them. */
function Line({
  isChoosing,
  label,
  onPress,
  children,
}: {
  readonly isChoosing: boolean
  readonly label: string
  readonly onPress: () => void
  readonly children: string
}): ReactNode {
  const name = <bdi>{children}</bdi>
  if (!isChoosing) return name
  return (
    <button type="button" className={css['all']} title={label} onClick={onPress}>
      {name} <span className="visually-hidden">{label}</span>
    </button>
  )
}

const letters = { select: 'S', insert: 'I', update: 'U', delete: 'D' }

function Cell({
  table,
  role,
  access,
  isChosen,
  onOpen,
}: {
  readonly table: string
  readonly role: string
  readonly access: CellAccess | undefined
  /** undefined: cells are not chosen now. */
  readonly isChosen: boolean | undefined
  readonly onOpen: (table: string, role: string) => void
}): ReactNode {
  const extents = access?.extents
  const text = operations
    .map((operation) => `${operation} ${extents?.[operation] ?? 'none'}`)
    .join(', ')
  return (
    <div role="cell">
      <button
        type="button"
        className={css['cell']}
        aria-pressed={isChosen}
        aria-label={`${shortText(role, 60)} on ${shortText(table, 60)}: ${text}`}
        onClick={() => onOpen(table, role)}
      >
        {extents !== undefined &&
          operations.map((operation) => (
            <Glyph key={operation} letter={letters[operation]} extent={extents[operation]} />
          ))}
      </button>
    </div>
  )
}
