/** @module A table that puts only the rows in view into the page: a hundred thousand rows scroll like ten. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown, ArrowUp } from 'lucide-react'
import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { classes } from './classes.ts'
import { Skeleton } from './states.tsx'
import css from './table.module.css'

export interface TableColumn<Row> {
  readonly id: string
  readonly header: ReactNode
  /** A track of CSS grid: `minmax(120px, 2fr)`, `90px`. */
  readonly width: string
  readonly isNumeric?: boolean
  readonly isCode?: boolean
  readonly cell: (row: Row) => ReactNode
  /** Makes the column sortable. */
  readonly sortBy?: (row: Row) => string | number
  /** Makes the column sortable by the server: rows stay in the order in which they come. */
  readonly sort?: {
    readonly direction: 'up' | 'down' | undefined
    readonly onSort: () => void
  }
}

export interface TableProps<Row> {
  readonly label: string
  readonly columns: readonly TableColumn<Row>[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row, index: number) => string
  readonly isLoading?: boolean
  /** Shown instead of rows where there are none. */
  readonly empty?: ReactNode
  /** Opens a row: by click, or Enter. */
  readonly onOpen?: (row: Row) => void
  readonly openKey?: string | undefined
  /** Is called when the end comes into view. */
  readonly onEnd?: () => void
  readonly footer?: ReactNode
  /** Pixels; the table scrolls inside. Without it, the height of its place. */
  readonly maxHeight?: number
  readonly minWidth?: number
}

const rowHeight = 36

export function Table<Row>(props: TableProps<Row>): ReactNode {
  const { label, columns, rows, rowKey, isLoading = false, empty, onOpen, openKey, onEnd } = props
  const { sorted, sort, toggle } = useSort(rows, columns)
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: sorted.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
  })
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? -1
  useEffect(() => {
    if (last >= sorted.length - 1 && sorted.length > 0) onEnd?.()
  }, [last, sorted.length, onEnd])

  const gridTemplateColumns = columns.map(({ width }) => width).join(' ')
  const focusRow = (index: number) => {
    virtual.scrollToIndex(index)
    requestAnimationFrame(() => {
      scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus()
    })
  }

  return (
    <div
      className={css['scroller']}
      ref={scroller}
      style={props.maxHeight === undefined ? undefined : { maxHeight: props.maxHeight }}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
      tabIndex={0}
      role="region"
      aria-label={label}
    >
      <div
        role="table"
        aria-label={label}
        aria-rowcount={rows.length + 1}
        aria-busy={isLoading}
        className={css['table']}
        style={{ minWidth: props.minWidth ?? columns.length * 90 }}
      >
        <Head columns={columns} sort={sort} onToggle={toggle} template={gridTemplateColumns} />
        {sorted.length > 0 && (
          <div role="rowgroup" className={css['body']} style={{ height: virtual.getTotalSize() }}>
            {items.map(({ index, start }) => {
              const row = sorted[index]
              if (row === undefined) return null
              const key = rowKey(row, index)
              return (
                <Line
                  key={key}
                  columns={columns}
                  row={row}
                  index={index}
                  count={sorted.length}
                  isOpen={key === openKey}
                  style={{ gridTemplateColumns, transform: `translateY(${start}px)` }}
                  onOpen={onOpen}
                  onFocus={focusRow}
                />
              )
            })}
          </div>
        )}
      </div>
      {isLoading && rows.length === 0 && (
        <div className={css['waiting']}>
          <Skeleton lines={8} height={rowHeight} />
        </div>
      )}
      {!isLoading && rows.length === 0 && empty}
      {props.footer}
    </div>
  )
}

/** @param template the tracks of the columns. */
function Head<Row>({
  columns,
  sort,
  onToggle,
  template,
}: {
  readonly columns: readonly TableColumn<Row>[]
  readonly sort: Sort | undefined
  readonly onToggle: (id: string) => void
  readonly template: string
}): ReactNode {
  const directionOf = ({ id, sort: byServer }: TableColumn<Row>) =>
    byServer?.direction ?? (sort?.id === id ? (sort.isDown ? 'down' : 'up') : undefined)
  return (
    <div role="rowgroup" className={css['head']}>
      <div
        role="row"
        aria-rowindex={1}
        className={css['row']}
        style={{ gridTemplateColumns: template }}
      >
        {columns.map((column) => (
          <HeadCell
            key={column.id}
            column={column}
            direction={directionOf(column)}
            onSort={column.sort?.onSort ?? (() => onToggle(column.id))}
          />
        ))}
      </div>
    </div>
  )
}

function HeadCell<Row>({
  column: { header, isNumeric, sortBy, sort },
  direction,
  onSort,
}: {
  readonly column: TableColumn<Row>
  readonly direction: 'up' | 'down' | undefined
  readonly onSort: () => void
}): ReactNode {
  const isSortable = sortBy !== undefined || sort !== undefined
  const order = direction === undefined ? 'none' : direction === 'up' ? 'ascending' : 'descending'
  return (
    <div
      role="columnheader"
      aria-sort={isSortable ? order : undefined}
      className={classes(css['cell'], css['header'], isNumeric && css['number'])}
    >
      {!isSortable ? (
        header
      ) : (
        <button type="button" className={css['sort']} onClick={onSort}>
          {header}
          {direction === 'up' && <ArrowUp aria-hidden />}
          {direction === 'down' && <ArrowDown aria-hidden />}
        </button>
      )}
    </div>
  )
}

interface LineProps<Row> {
  readonly columns: readonly TableColumn<Row>[]
  readonly row: Row
  readonly index: number
  /** Of all rows. */
  readonly count: number
  readonly isOpen: boolean
  readonly style: CSSProperties
  readonly onOpen: ((row: Row) => void) | undefined
  /** Moves the focus to the row of that index. */
  readonly onFocus: (index: number) => void
}

function Line<Row>(props: LineProps<Row>): ReactNode {
  const { columns, row, index, isOpen, style, onOpen } = props
  const opening =
    onOpen === undefined
      ? {}
      : {
          tabIndex: 0,
          onClick: () => onOpen(row),
          onKeyDown: (event: KeyboardEvent) => pressKey(event, props),
        }
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      data-index={index}
      data-open={isOpen || undefined}
      className={classes(css['row'], css['line'], onOpen && css['opens'])}
      style={style}
      {...opening}
    >
      {columns.map(({ id, isNumeric, isCode, cell }) => (
        <div
          key={id}
          role="cell"
          className={classes(css['cell'], isNumeric && css['number'], isCode && css['code'])}
        >
          {cell(row)}
        </div>
      ))}
    </div>
  )
}

/** Arrows, Home and End move the focus; Enter opens the row. */
function pressKey<Row>(
  event: KeyboardEvent,
  { index, count, row, onFocus, onOpen }: LineProps<Row>,
): void {
  if (event.target !== event.currentTarget) return
  const to = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: count - 1 }[event.key]
  if (to !== undefined) {
    event.preventDefault()
    onFocus(Math.max(0, Math.min(count - 1, to)))
  } else if (event.key === 'Enter') {
    event.preventDefault()
    onOpen?.(row)
  }
}

interface Sort {
  /** Of the column. */
  readonly id: string
  readonly isDown: boolean
}

/** The rows in the order that was chosen; a column goes up, down, and is not sorted again. */
function useSort<Row>(rows: readonly Row[], columns: readonly TableColumn<Row>[]) {
  const [sort, setSort] = useState<Sort>()
  const sorted = useMemo(() => sortedRows(rows, columns, sort), [rows, columns, sort])
  const toggle = (id: string) =>
    setSort((now) => {
      if (now?.id !== id) return { id, isDown: false }
      return now.isDown ? undefined : { id, isDown: true }
    })
  return { sorted, sort, toggle }
}

function sortedRows<Row>(
  rows: readonly Row[],
  columns: readonly TableColumn<Row>[],
  sort: Sort | undefined,
): readonly Row[] {
  const by = columns.find(({ id }) => id === sort?.id)?.sortBy
  if (sort === undefined || by === undefined) return rows
  const sign = sort.isDown ? -1 : 1
  return rows
    .map((row) => ({ row, key: by(row) }))
    .toSorted((a, b) => (a.key < b.key ? -sign : a.key > b.key ? sign : 0))
    .map(({ row }) => row)
}
