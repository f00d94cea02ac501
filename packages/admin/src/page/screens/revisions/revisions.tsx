/** @module The history of the stored configuration: who changed what and why, and how to take it back. */
import type { RevisionSummary } from '@engine/contract/admin-api'
import { Download, History, Upload } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { apiUrl } from '../../api/http.ts'
import { type PlannedChange, useSource } from '../../api/stored.ts'
import { Button } from '../../components/button.tsx'
import { Card, Page } from '../../components/page.tsx'
import { EmptyState, ErrorState } from '../../components/states.tsx'
import { Table, type TableColumn } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { shortText } from '../../components/visible-text.ts'
import css from '../query/query.module.css'
import { SaveDialog } from '../stored/save-dialog.tsx'
import { SourceBadge } from '../stored/source-badge.tsx'
import { ImportDialog } from './import-dialog.tsx'
import { RevisionDrawer } from './revision-drawer.tsx'
import { type RevisionList, useRevisions } from './use-revisions.ts'

const columns: readonly TableColumn<RevisionSummary>[] = [
  {
    id: 'revision',
    header: 'Revision',
    width: '90px',
    isNumeric: true,
    cell: ({ revision }) => revision,
  },
  { id: 'at', header: 'When', width: '130px', cell: ({ at }) => <Time at={at} /> },
  {
    id: 'author',
    header: 'Author',
    width: '120px',
    cell: ({ author }) => <bdi>{shortText(author, 60)}</bdi>,
  },
  {
    id: 'note',
    header: 'Note',
    width: 'minmax(160px, 2fr)',
    cell: ({ note }) =>
      note === null ? <span className="faint">—</span> : <bdi>{shortText(note, 200)}</bdi>,
  },
  {
    id: 'changes',
    header: 'Changed',
    width: 'minmax(200px, 2fr)',
    isCode: true,
    cell: ({ changes }) => shortText(changes.map(({ path }) => path).join(', '), 200),
  },
]

export default function Revisions(): ReactNode {
  const source = useSource()
  const list = useRevisions()
  const [open, setOpen] = useState<RevisionSummary>()
  const [isImporting, setImporting] = useState(false)
  const [undoing, setUndoing] = useState<PlannedChange>()
  const newest = list.revisions?.[0]?.revision
  const close = () => {
    setUndoing(undefined)
    setOpen(undefined)
  }
  return (
    <Page
      isFull
      title="Revisions"
      lead="Each change of the stored configuration. Undo is a new revision: later changes stay."
      actions={
        <>
          <SourceBadge />
          <a
            className={css['link']}
            href={apiUrl('GET /config/export')}
            download="engine.stored.json"
          >
            <Download aria-hidden />
            Export
          </a>
          {source === 'stored' && (
            <Button icon={<Upload aria-hidden />} onClick={() => setImporting(true)}>
              Import…
            </Button>
          )}
        </>
      }
    >
      <RevisionTable list={list} open={open} onOpen={setOpen} />
      {open !== undefined && undoing === undefined && (
        <RevisionDrawer
          revision={open}
          onClose={close}
          onUndo={
            source === 'stored' && open.revision > 1 ? () => setUndoing(undoingOf(open)) : undefined
          }
        />
      )}
      {isImporting && newest !== undefined && (
        <ImportDialog revision={newest} onClose={() => setImporting(false)} />
      )}
      {undoing !== undefined && newest !== undefined && (
        <SaveDialog
          title={`Undo revision ${open?.revision}`}
          change={undoing}
          revision={newest}
          action="Undo"
          onClose={() => setUndoing(undefined)}
          onSaved={close}
          onTakeOver={close}
        />
      )}
    </Page>
  )
}

function undoingOf({ revision }: RevisionSummary): PlannedChange {
  return { route: 'POST /config/revisions/:number/undo', params: { number: revision } }
}

function RevisionTable({
  list: { revisions, error, isPending, refetch, onEnd },
  open,
  onOpen,
}: {
  readonly list: RevisionList
  readonly open: RevisionSummary | undefined
  readonly onOpen: (revision: RevisionSummary) => void
}): ReactNode {
  const source = useSource()
  if (error !== null) return <ErrorState error={error} onRetry={refetch} />
  return (
    <Card isFlush isFull>
      <Table
        label="Revisions"
        columns={columns}
        rows={revisions ?? []}
        rowKey={({ revision }) => `${revision}`}
        isLoading={isPending}
        minWidth={760}
        onOpen={onOpen}
        openKey={open === undefined ? undefined : `${open.revision}`}
        onEnd={onEnd}
        empty={
          <EmptyState icon={<History aria-hidden />} title="No revisions">
            {source === 'code'
              ? 'The configuration is defined in code: its history is that of the code. With mode: "interactive" it is kept here.'
              : 'The first start writes the first one.'}
          </EmptyState>
        }
      />
    </Card>
  )
}
