/** @module The history of the stored configuration: who changed what and why, and how to take it back. */
import type { RevisionSummary, RevisionsPage } from '@engine/contract/admin-api'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Download, History, Undo2, Upload } from 'lucide-react'
import { type ReactNode, useCallback, useState } from 'react'
import { type ApiError, apiUrl, request } from '../../api/http.ts'
import { type PlannedChange, useSource } from '../../api/stored.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Card, Facts, Page } from '../../components/page.tsx'
import { EmptyState, ErrorState } from '../../components/states.tsx'
import { Table, type TableColumn } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { shortText } from '../../components/visible-text.ts'
import css from '../query/query.module.css'
import { Changes } from '../stored/changes.tsx'
import { SaveDialog } from '../stored/save-dialog.tsx'
import { SourceBadge } from '../stored/source-badge.tsx'
import { ImportDialog } from './import-dialog.tsx'

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
  const [open, setOpen] = useState<RevisionSummary>()
  const [isImporting, setImporting] = useState(false)
  const [undoing, setUndoing] = useState<PlannedChange>()
  const { data, error, refetch, isPending, hasNextPage, fetchNextPage } = useInfiniteQuery<
    RevisionsPage,
    ApiError,
    readonly RevisionSummary[],
    readonly string[],
    number | undefined
  >({
    queryKey: ['revisions'],
    queryFn: ({ pageParam, signal }) =>
      request('GET /config/revisions', { signal, query: { before: pageParam, limit: 100 } }),
    initialPageParam: undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    select: ({ pages }) => pages.flatMap(({ revisions }) => revisions),
  })
  const onEnd = useCallback(() => {
    if (hasNextPage) void fetchNextPage()
  }, [hasNextPage, fetchNextPage])
  const newest = data?.[0]?.revision
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
      {error !== null ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Card isFlush isFull>
          <Table
            label="Revisions"
            columns={columns}
            rows={data ?? []}
            rowKey={({ revision }) => `${revision}`}
            isLoading={isPending}
            minWidth={760}
            onOpen={setOpen}
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
      )}
      {open !== undefined && undoing === undefined && (
        <Dialog
          isOpen
          isWide
          place="drawer"
          onClose={close}
          title={`Revision ${open.revision}`}
          description={open.note === null ? 'Without a note.' : shortText(open.note, 2_000)}
          footer={
            source === 'stored' && open.revision > 1 ? (
              <Button
                icon={<Undo2 aria-hidden />}
                onClick={() =>
                  setUndoing({
                    route: 'POST /config/revisions/:number/undo',
                    params: { number: open.revision },
                  })
                }
              >
                Undo…
              </Button>
            ) : undefined
          }
        >
          <Facts
            facts={[
              ['Author', <bdi key="author">{shortText(open.author, 120)}</bdi>],
              ['Via', <Badge key="via">{shortText(open.via, 40)}</Badge>],
              ['When', <Time key="at" at={open.at} />],
            ]}
          />
          <Changes changes={open.changes} />
        </Dialog>
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
