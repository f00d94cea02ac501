/** @module Why a statement answers what it answers, for a caller of choice. Runs nothing; a simulation is rolled back. */
import type { ExplainAnswer, SimulatedAnswer } from '@engine/contract/admin-api'
import { FlaskConical, RotateCcw, Search } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Link } from 'wouter'
import { request } from '../../api/http.ts'
import { type Submit, useSubmit } from '../../api/use-submit.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Editor } from '../../components/editor/editor.tsx'
import { Card, Page } from '../../components/page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/states.tsx'
import { Restored } from '../../drafts/restored.tsx'
import { useSearchText } from '../../shell/address.ts'
import { ParametersField } from '../query/parameters-field.tsx'
import query from '../query/query.module.css'
import { Result } from '../query/result.tsx'
import { useStatement } from '../query/use-statement.ts'
import {
  parseParams,
  type Subject,
  subjectBody,
  subjectFromQuery,
  subjectQuery,
  subjectText,
} from '../subject/subject.ts'
import { SubjectPicker } from '../subject/subject-picker.tsx'
import { useNamedSubject } from '../subject/use-found-callers.ts'
import css from './explain.module.css'
import { Verdict } from './verdict.tsx'

interface Asked {
  readonly sql: string
  readonly params: string
  readonly subject: Subject
}

export default function Explain(): ReactNode {
  const search = useSearchText()
  // Another address is another question.
  return <Asking key={search} search={search} />
}

function Asking({ search }: { readonly search: string }): ReactNode {
  const [start] = useState(() => subjectFromQuery(search))
  const [chosen, setSubject] = useState(start.subject)
  const subject = useNamedSubject(chosen)
  const statement = useStatement(`explain ${search}`, start)
  const { sql, params, draft } = statement
  const explained = useSubmit<ExplainAnswer, Asked>({
    send: async (asked, signal) => request('POST /explain', { body: bodyOf(asked), signal }),
  })
  const simulated = useSubmit<SimulatedAnswer, Asked>({
    send: async (asked, signal) => request('POST /simulate', { body: bodyOf(asked), signal }),
  })
  const isEmpty = sql.trim() === ''
  const explain = () => {
    if (isEmpty) return
    simulated.reset()
    explained.run({ sql, params, subject })
  }
  // A link with a statement asks at once, as soon as the page is there; edits that come back wait.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    if (draft.restored === undefined) explain()
  }, [])
  return (
    <Page
      title="Explain"
      lead="Takes a statement through every stage for a caller, and says which rule let it through or stopped it. Nothing runs."
    >
      <div className={css['work']}>
        <div className={css['main']}>
          <Restored draft={draft} onDiscard={statement.reset} />
          <Editor value={sql} onValue={statement.setSql} onRun={explain} />
          <div className={query['bar']}>
            <Button
              look="primary"
              icon={<Search aria-hidden />}
              isBusy={explained.isPending}
              disabled={isEmpty}
              onClick={explain}
            >
              Explain for {subjectText(subject)}
            </Button>
            <Button
              icon={<RotateCcw aria-hidden />}
              isBusy={simulated.isPending}
              disabled={isEmpty}
              title="Runs it in a transaction that is rolled back"
              onClick={() => simulated.run({ sql, params, subject })}
            >
              Simulate
            </Button>
            <Link href={`/query?${subjectQuery(subject, sql, params)}`} className={query['link']}>
              Open in Query
            </Link>
          </div>
          <Simulated state={simulated} />
          <Explained state={explained} />
        </div>
        <aside className={css['side']} aria-label="Subject and parameters">
          <SubjectPicker subject={subject} onSubject={setSubject} allowsAdmin />
          <ParametersField value={params} onValue={statement.setParams} />
        </aside>
      </div>
    </Page>
  )
}

function bodyOf({ sql, params, subject }: Asked) {
  return { sql, params: parseParams(params), ...subjectBody(subject) }
}

function Explained({
  state: { data, error, isPending },
}: {
  readonly state: Submit<ExplainAnswer, Asked>
}): ReactNode {
  if (error !== null) return <ErrorState title="It could not be explained" error={error} />
  if (isPending) {
    return (
      <Card title="Verdict">
        <Skeleton lines={8} />
      </Card>
    )
  }
  if (data !== undefined) return <Verdict explanation={data} />
  return (
    <Card>
      <EmptyState icon={<FlaskConical aria-hidden />} title="Ask about a statement">
        Choose a caller, write what it would send, and see each permission's verdict, the rows and
        columns that stay, and the SQL that the database would get.
      </EmptyState>
    </Card>
  )
}

function Simulated({
  state: { data, error },
}: {
  readonly state: Submit<SimulatedAnswer, Asked>
}): ReactNode {
  if (error !== null) return <ErrorState title="It could not be simulated" error={error} />
  if (data === undefined) return null
  if (data.outcome !== 'answered') {
    return (
      <ErrorState
        title="The simulation was refused"
        error={{ message: data.message, code: `${data.status} ${data.error}` }}
      />
    )
  }
  return (
    <Card
      isFlush
      title="Simulation"
      actions={
        <Badge tone="blue">
          {data.isWrite ? `${data.rowCount} rows, rolled back` : 'rolled back'}
        </Badge>
      }
    >
      <Result answer={data} maxHeight={360} />
    </Card>
  )
}
