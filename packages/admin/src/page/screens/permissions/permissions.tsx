/** @module Tables and roles: who may do what, at a glance. */
import { CopyCheck, ListFilter, Plus, ShieldCheck } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { Link } from 'wouter'
import { useMatrix } from '../../api/queries.ts'
import { useSource } from '../../api/stored.ts'
import { Button } from '../../components/button.tsx'
import { SearchInput } from '../../components/field.tsx'
import { Page, Toolbar } from '../../components/page.tsx'
import { Select } from '../../components/select.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/states.tsx'
import { shortText } from '../../components/visible-text.ts'
import { SourceBadge } from '../stored/source-badge.tsx'
import { accessByCell, cellKey, cellOf } from './access.ts'
import { ApplyDialog } from './apply-dialog.tsx'
import { CellDrawer } from './cell-drawer.tsx'
import { Glyph } from './glyph.tsx'
import { Grid } from './grid.tsx'
import { type MatrixFilter, shownTables, useMatrixFilter } from './matrix-filter.ts'
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
      {error !== null && data === undefined ? (
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
  const { filter, set } = useMatrixFilter()
  const [open, setOpen] = useState<{ readonly table: string; readonly role: string }>()
  /** Keys of chosen cells; undefined: a press opens a cell. */
  const [chosen, setChosen] = useState<ReadonlySet<string>>()
  const [isApplying, setApplying] = useState(false)
  const cells = useMemo(() => accessByCell(matrix), [matrix])
  const press = (table: string, role: string) => {
    if (chosen === undefined) setOpen({ table, role })
    else setChosen(chosen.symmetricDifference(new Set([cellKey(table, role)])))
  }
  /** Chooses all of these cells; where they are chosen already, none of them. */
  const pressAll = (keys: readonly string[]) => {
    const these = new Set(keys)
    if (chosen === undefined) return
    setChosen(these.isSubsetOf(chosen) ? chosen.difference(these) : chosen.union(these))
  }
  return (
    <>
      <Toolbar>
        <MatrixFilters roles={matrix.roles} filter={filter} onFilter={set} />
        <ChoosingButtons chosen={chosen} onChosen={setChosen} onApply={() => setApplying(true)} />
        <Legend />
      </Toolbar>
      <Grid
        tables={shownTables(matrix, filter)}
        roles={matrix.roles.includes(filter.role) ? [filter.role] : matrix.roles}
        cells={cells}
        chosen={chosen}
        onOpen={press}
        onChooseAll={pressAll}
      />
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

function MatrixFilters({
  roles,
  filter: { search, role, isRuledOnly },
  onFilter,
}: {
  readonly roles: readonly string[]
  readonly filter: MatrixFilter
  readonly onFilter: (filter: Partial<MatrixFilter>) => void
}): ReactNode {
  return (
    <>
      <SearchInput
        label="Search tables"
        keyHint="/"
        value={search}
        onValue={(next) => onFilter({ search: next })}
      />
      <Select
        label="Role"
        value={role}
        onValue={(next) => onFilter({ role: next })}
        choices={[
          { value: '', label: 'All roles' },
          ...roles.map((name) => ({ value: name, label: shortText(name, 60) })),
        ]}
      />
      <Button
        icon={<ListFilter aria-hidden />}
        aria-pressed={isRuledOnly}
        onClick={() => onFilter({ isRuledOnly: !isRuledOnly })}
      >
        Only tables with rules
      </Button>
    </>
  )
}

function ChoosingButtons({
  chosen,
  onChosen,
  onApply,
}: {
  readonly chosen: ReadonlySet<string> | undefined
  readonly onChosen: (chosen: ReadonlySet<string> | undefined) => void
  readonly onApply: () => void
}): ReactNode {
  const source = useSource()
  return (
    <>
      {source === 'stored' && (
        <Button
          icon={<CopyCheck aria-hidden />}
          aria-pressed={chosen !== undefined}
          onClick={() => onChosen(chosen === undefined ? new Set() : undefined)}
        >
          {chosen === undefined ? 'Select cells' : 'Stop selecting'}
        </Button>
      )}
      {chosen !== undefined && (
        <Button look="primary" disabled={chosen.size === 0} onClick={onApply}>
          Apply to {chosen.size}…
        </Button>
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
