/** @module Tables and roles: who may do what, at a glance. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { CopyCheck, Plus, ShieldCheck } from 'lucide-react'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useMatrix } from '../../api/queries.ts'
import { useSource } from '../../api/stored.ts'
import { Button } from '../../components/button.tsx'
import { classes } from '../../components/classes.ts'
import { SearchInput } from '../../components/field.tsx'
import { Page, Toolbar } from '../../components/page.tsx'
import { Select } from '../../components/select.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/states.tsx'
import { shortText } from '../../components/visible-text.ts'
import { useSearchText } from '../../shell/address.ts'
import { SourceBadge } from '../stored/source-badge.tsx'
import {
  accessByCell,
  type CellAccess,
  cellKey,
  cellOf,
  type Extent,
  operations,
} from './access.ts'
import { ApplyDialog } from './apply-dialog.tsx'
import { CellDrawer } from './cell-drawer.tsx'
import type { PermissionMatrix } from './matrix-types.ts'
import css from './permissions.module.css'

export default function Permissions(): ReactNode {
  const { data, error, refetch } = useMatrix()
  const source = useSource()
  return (
    <Page
      isFull
      title="Permissions"
      lead="What each role may do with each table. Whatever no rule grants is refused."
      actions={
        <>
          <SourceBadge />
          {source === 'stored' && (
            <Link href="/new-permission" className={css['new']}>
              <Plus aria-hidden />
              New rule
            </Link>
          )}
        </>
      }
    >
      {error !== null ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton lines={10} height={36} />
      ) : data.roles.length === 0 || data.tables.length === 0 ? (
        <EmptyState icon={<ShieldCheck aria-hidden />} title="No permissions yet">
          Without rules only the master key reaches any table. Add one under{' '}
          <code>permissions</code>: a table, the roles, and what they may select, insert, update or
          delete.
        </EmptyState>
      ) : (
        <Matrix matrix={data} />
      )}
    </Page>
  )
}

function Matrix({ matrix }: { readonly matrix: PermissionMatrix }): ReactNode {
  const [path, go] = useLocation()
  const query = new URLSearchParams(useSearchText())
  const text = query.get('search') ?? ''
  const role = query.get('role') ?? ''
  const [open, setOpen] = useState<{ readonly table: string; readonly role: string }>()
  const source = useSource()
  /** Keys of chosen cells; undefined: a press opens a cell. */
  const [chosen, setChosen] = useState<ReadonlySet<string>>()
  const [isApplying, setApplying] = useState(false)
  const press = (table: string, pressed: string) => {
    if (chosen === undefined) setOpen({ table, role: pressed })
    else setChosen(chosen.symmetricDifference(new Set([cellKey(table, pressed)])))
  }
  const cells = useMemo(() => accessByCell(matrix), [matrix])
  const set = (name: string, value: string) => {
    if (value === '') query.delete(name)
    else query.set(name, value)
    go(`${path}?${query}`, { replace: true })
  }
  const roles = matrix.roles.includes(role) ? [role] : matrix.roles
  const tables = matrix.tables.filter(
    (table) =>
      table.toLowerCase().includes(text.toLowerCase()) &&
      (role === '' || cells.has(cellKey(table, role))),
  )
  return (
    <>
      <Toolbar>
        <SearchInput
          label="Search tables"
          keyHint="/"
          value={text}
          onValue={(value) => set('search', value)}
        />
        <Select
          label="Role"
          value={role}
          onValue={(value) => set('role', value)}
          choices={[
            { value: '', label: 'All roles' },
            ...matrix.roles.map((name) => ({ value: name, label: shortText(name, 60) })),
          ]}
        />
        {source === 'stored' && (
          <Button
            icon={<CopyCheck aria-hidden />}
            aria-pressed={chosen !== undefined}
            onClick={() => setChosen(chosen === undefined ? new Set() : undefined)}
          >
            {chosen === undefined ? 'Select cells' : 'Stop selecting'}
          </Button>
        )}
        {chosen !== undefined && (
          <Button look="primary" disabled={chosen.size === 0} onClick={() => setApplying(true)}>
            Apply to {chosen.size}…
          </Button>
        )}
        <Legend />
      </Toolbar>
      <Grid tables={tables} roles={roles} cells={cells} chosen={chosen} onOpen={press} />
      {isApplying && chosen !== undefined && (
        <ApplyDialog
          cells={[...chosen].map(cellOf)}
          onClose={() => setApplying(false)}
          onDone={() => {
            setApplying(false)
            setChosen(undefined)
          }}
        />
      )}
      {open !== undefined && (
        <CellDrawer
          table={open.table}
          role={open.role}
          access={cells.get(cellKey(open.table, open.role))}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  )
}

function Legend(): ReactNode {
  return (
    <p className={css['legend']}>
      <Glyph letter="S" extent="full" /> all
      <Glyph letter="S" extent="partial" /> some rows or columns
      <Glyph letter="S" extent="none" /> none
      <span className={css['letters']}>Select, Insert, Update, Delete</span>
    </p>
  )
}

function Glyph({
  letter,
  extent,
}: {
  readonly letter: string
  readonly extent: Extent
}): ReactNode {
  return <span className={classes(css['glyph'], css[extent])} data-letter={letter} aria-hidden />
}

const rowHeight = 34
const roleWidth = 132

/** Only the rows in view are in the page. */
function Grid({
  tables,
  roles,
  cells,
  chosen,
  onOpen,
}: {
  readonly tables: readonly string[]
  readonly roles: readonly string[]
  readonly cells: ReadonlyMap<string, CellAccess>
  readonly chosen: ReadonlySet<string> | undefined
  readonly onOpen: (table: string, role: string) => void
}): ReactNode {
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: tables.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 6,
  })
  const style = {
    gridTemplateColumns: `minmax(220px, 380px) repeat(${roles.length}, ${roleWidth}px)`,
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <div className={css['scroller']} ref={scroller} tabIndex={0} role="region" aria-label="Matrix">
      <div
        role="table"
        aria-label="Permissions by table and role"
        aria-rowcount={tables.length + 1}
        className={css['table']}
        style={{ minWidth: 220 + roles.length * roleWidth }}
      >
        <div role="rowgroup" className={css['head']}>
          <div role="row" aria-rowindex={1} className={css['row']} style={style}>
            <div role="columnheader" className={css['corner']}>
              {tables.length} tables
            </div>
            {roles.map((role) => (
              <div key={role} role="columnheader" className={css['role']} title={shortText(role)}>
                <bdi>{role === '*' ? 'signed in (*)' : shortText(role, 60)}</bdi>
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
                style={{ ...style, transform: `translateY(${start}px)` }}
              >
                <div role="rowheader" className={css['name']} title={shortText(table)}>
                  <bdi>{shortText(table)}</bdi>
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
        <EmptyState title="No table matches">Change the search or the role.</EmptyState>
      )}
    </div>
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
        {operations.map((operation) => (
          <Glyph
            key={operation}
            letter={letters[operation]}
            extent={extents?.[operation] ?? 'none'}
          />
        ))}
      </button>
    </div>
  )
}
