/** @module SQL as a caller of choice. */
import type { StatementAnswer } from '@engine/contract/admin-api'
import { CircleStop, Copy, Download, FlaskConical, Play, SquareTerminal } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { base, request } from '../../api/http.ts'
import { useSubmit } from '../../api/use-submit.ts'
import { Button } from '../../components/button.tsx'
import { Editor } from '../../components/editor/editor.tsx'
import { Field, TextInput } from '../../components/field.tsx'
import { Menu } from '../../components/menu.tsx'
import { Card, Page } from '../../components/page.tsx'
import { EmptyState, ErrorState } from '../../components/states.tsx'
import { useToasts } from '../../components/toast.tsx'
import { Restored } from '../../drafts/restored.tsx'
import { useDraft, useKeep } from '../../drafts/use-draft.ts'
import { useSearchText } from '../../shell/address.ts'
import {
  parseParams,
  type Subject,
  subjectBody,
  subjectFromQuery,
  subjectQuery,
  subjectText,
} from '../subject/subject.ts'
import { SubjectPicker } from '../subject/subject-picker.tsx'
import { csvOf, curlOf, drizzleOf, kyselyOf } from './export-text.ts'
import { faultPlace } from './fault-place.ts'
import { mayBeStored, type PastQuery, readHistory, withQuery, writeHistory } from './history.ts'
import { HistoryList } from './history-list.tsx'
import css from './query.module.css'
import { Result } from './result.tsx'
import { Running } from './running.tsx'
import { statementIn } from './statement-draft.ts'

interface Run {
  readonly startedAtMs: number
  readonly sql: string
  readonly params: string
  readonly subject: Subject
}

interface Outcome {
  readonly answer: StatementAnswer
  readonly elapsedMs: number
  readonly subject: string
}

export default function Query(): ReactNode {
  const search = useSearchText()
  // Another address is another statement.
  return <Playground key={search} search={search} />
}

function Playground({ search }: { readonly search: string }): ReactNode {
  const [start] = useState(() => subjectFromQuery(search))
  const draft = useDraft(`query ${search}`, statementIn)
  const [sql, setSql] = useState(draft.restored?.value.sql ?? start.sql)
  const [params, setParams] = useState(draft.restored?.value.params ?? start.params)
  const [past, setPast] = useState(readHistory)
  // A statement that was run is in the history.
  const isPast = past.some((query) => query.sql === sql.trim() && query.params === params.trim())
  const isEdited = !isPast && (sql !== start.sql || params !== start.params)
  useKeep(draft, isEdited ? { sql, params } : undefined, mayBeStored({ sql, params }))
  const [subject, setSubject] = useState(start.subject)
  const remember = (given: Run, outcome: string) => {
    const query: PastQuery = {
      sql: given.sql.trim(),
      params: given.params.trim(),
      subject: subjectText(given.subject),
      atMs: given.startedAtMs,
      outcome,
    }
    const next = withQuery(readHistory(), query)
    writeHistory(next)
    setPast(next)
  }
  const run = useSubmit<Outcome, Run>({
    onDone: ({ answer }, given) => remember(given, rowsText(answer.rowCount)),
    onFailed: ({ code }, given) => remember(given, code),
    send: async (given, signal) => {
      const body = {
        sql: given.sql,
        params: parseParams(given.params),
        ...subjectBody(given.subject),
      }
      const startMs = performance.now()
      const answer = await request('POST /query', { body, signal })
      const elapsedMs = performance.now() - startMs
      return { answer, elapsedMs, subject: subjectText(given.subject) }
    },
  })
  const begin = () => {
    if (sql.trim() === '') return
    run.run({ startedAtMs: Date.now(), sql, params, subject })
  }
  const outcome = run.data
  const { position } = (run.error?.details ?? {}) as { readonly position?: unknown }
  const fault = run.variables?.sql === sql ? faultPlace(sql, position) : undefined
  const explain = `/explain?${subjectQuery(subject, sql, params)}`
  return (
    <Page
      isFull
      title="Query"
      lead="Runs a statement as a caller of your choice, under that caller's permissions. Writes are real."
    >
      <div className={css['work']}>
        <div className={css['main']}>
          <Restored
            draft={draft}
            onDiscard={() => {
              setSql(start.sql)
              setParams(start.params)
            }}
          />
          <Editor value={sql} onValue={setSql} onRun={begin} faultAt={fault?.at} />
          <div className={css['bar']}>
            <Button
              look={subject.kind === 'admin' ? 'danger' : 'primary'}
              icon={<Play aria-hidden />}
              isBusy={run.isPending}
              disabled={sql.trim() === ''}
              onClick={begin}
            >
              Run as {subjectText(subject)}
            </Button>
            {run.isPending && (
              <Button icon={<CircleStop aria-hidden />} onClick={run.cancel}>
                Cancel
              </Button>
            )}
            <Link href={explain} className={css['link']}>
              <FlaskConical aria-hidden /> Explain
            </Link>
            <CopyMenu sql={sql} params={params} />
          </div>
          <Card
            isFlush
            isFull
            title={resultTitle(outcome)}
            actions={outcome !== undefined && <CsvButton outcome={outcome} />}
          >
            {run.error !== null ? (
              <div className={css['inside']}>
                <ErrorState title="The statement was refused" error={run.error} />
                <p className={css['hint']}>
                  {fault !== undefined && (
                    <span className="numbers">
                      At line {fault.line}, column {fault.column}.{' '}
                    </span>
                  )}
                  <Link href={explain} className={css['link']}>
                    Explain why
                  </Link>
                </p>
              </div>
            ) : run.isPending ? (
              <Running sinceMs={run.variables?.startedAtMs ?? Date.now()} />
            ) : run.isCancelled ? (
              <EmptyState icon={<CircleStop aria-hidden />} title="Cancelled">
                The statement is stopped in the database, unless it had ended just then.
              </EmptyState>
            ) : outcome === undefined ? (
              <EmptyState icon={<SquareTerminal aria-hidden />} title="Write a statement">
                PostgreSQL's SQL for every database: <code>select * from "main"."orders"</code>.
                Press <kbd>Ctrl Enter</kbd> to run it.
              </EmptyState>
            ) : (
              <Result answer={outcome.answer} />
            )}
          </Card>
        </div>
        <aside className={css['side']} aria-label="Subject and parameters">
          <SubjectPicker subject={subject} onSubject={setSubject} allowsAdmin />
          <Field label="Parameters" hint="A JSON list: $1 is the first.">
            {(ids) => (
              <TextInput
                {...ids}
                className="mono"
                placeholder='[7, "paid"]'
                value={params}
                onChange={(event) => setParams(event.currentTarget.value)}
              />
            )}
          </Field>
          <HistoryList
            past={past}
            onPick={(query) => {
              setSql(query.sql)
              setParams(query.params)
            }}
            onClear={() => {
              writeHistory([])
              setPast([])
            }}
          />
        </aside>
      </div>
    </Page>
  )
}

function resultTitle(outcome: Outcome | undefined): ReactNode {
  if (outcome === undefined) return 'Result'
  const { answer, elapsedMs, subject } = outcome
  return (
    <span className="numbers">
      {rowsText(answer.rowCount)}
      {answer.truncated && ', cut by limits.maxRows'}
      <span className={css['facts']}>
        {elapsedMs.toFixed(0)} ms · as {subject}
      </span>
    </span>
  )
}

function rowsText(count: number): string {
  return `${count.toLocaleString()} ${count === 1 ? 'row' : 'rows'}`
}

function CopyMenu({ sql, params }: Pick<Run, 'sql' | 'params'>): ReactNode {
  const { done, failed } = useToasts()
  const copy = (text: (statement: Parameters<typeof curlOf>[0]) => string) => {
    try {
      const url = `${location.origin}${base.replace(/\/admin$/, '')}`
      const statement = { sql, params: parseParams(params), url }
      void navigator.clipboard.writeText(text(statement)).then(() => done('Copied'))
    } catch (error) {
      failed('Not copied', (error as Error).message)
    }
  }
  return (
    <Menu
      align="start"
      trigger={<Button icon={<Copy aria-hidden />}>Copy as</Button>}
      entries={[
        { label: 'curl', onSelect: () => copy(curlOf) },
        { label: 'Drizzle', onSelect: () => copy(drizzleOf) },
        { label: 'Kysely', onSelect: () => copy(kyselyOf) },
      ]}
    />
  )
}

function CsvButton({ outcome }: { readonly outcome: Outcome }): ReactNode {
  const download = () => {
    const blob = new Blob([csvOf(outcome.answer.body)], { type: 'text/csv' })
    const url = URL.createObjectURL(blob)
    const link = document.createElement('a')
    link.href = url
    link.download = 'result.csv'
    link.click()
    URL.revokeObjectURL(url)
  }
  return (
    <Button
      size="small"
      icon={<Download aria-hidden />}
      disabled={outcome.answer.body.rows === undefined}
      onClick={download}
    >
      CSV
    </Button>
  )
}
