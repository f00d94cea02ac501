/** @module SQL as a caller of choice. */
import { CircleStop, Copy, FlaskConical, Play } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { base } from '../../api/http.ts'
import { Button } from '../../components/button.tsx'
import { Editor } from '../../components/editor/editor.tsx'
import { Menu } from '../../components/menu.tsx'
import { Page } from '../../components/page.tsx'
import { useToasts } from '../../components/toast.tsx'
import { Restored } from '../../drafts/restored.tsx'
import { useSearchText } from '../../shell/address.ts'
import { parseParams, subjectFromQuery, subjectQuery, subjectText } from '../subject/subject.ts'
import { SubjectPicker } from '../subject/subject-picker.tsx'
import { useNamedSubject } from '../subject/use-found-callers.ts'
import { curlOf, drizzleOf, kyselyOf } from './export-text.ts'
import { faultPlace } from './fault-place.ts'
import { HistoryList } from './history-list.tsx'
import { OutcomeCard } from './outcome-card.tsx'
import { ParametersField } from './parameters-field.tsx'
import css from './query.module.css'
import type { StatementDraft } from './statement-draft.ts'
import { useHistory, useRun } from './use-run.ts'
import { useStatement } from './use-statement.ts'

export default function Query(): ReactNode {
  const search = useSearchText()
  // Another address is another statement.
  return <Playground key={search} search={search} />
}

function Playground({ search }: { readonly search: string }): ReactNode {
  const [start] = useState(() => subjectFromQuery(search))
  const [chosen, setSubject] = useState(start.subject)
  const subject = useNamedSubject(chosen)
  const history = useHistory()
  // A statement that was run is in the history.
  const statement = useStatement(`query ${search}`, start, ({ sql, params }) =>
    history.past.some((query) => query.sql === sql.trim() && query.params === params.trim()),
  )
  const { sql, params } = statement
  const run = useRun(history)
  const begin = () => {
    if (sql.trim() === '') return
    run.run({ startedAtMs: Date.now(), sql, params, subject })
  }
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
          <Restored draft={statement.draft} onDiscard={statement.reset} />
          <Editor value={sql} onValue={statement.setSql} onRun={begin} faultAt={fault?.at} />
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
          <OutcomeCard run={run} fault={fault} explain={explain} />
        </div>
        <aside className={css['side']} aria-label="Subject and parameters">
          <SubjectPicker subject={subject} onSubject={setSubject} allowsAdmin />
          <ParametersField value={params} onValue={statement.setParams} />
          <HistoryList past={history.past} onPick={statement.set} onClear={history.clear} />
        </aside>
      </div>
    </Page>
  )
}

function CopyMenu({ sql, params }: StatementDraft): ReactNode {
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
