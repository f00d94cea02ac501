/** @module Actions as forms, run as a caller of choice. */
import type { ActionFacts, AdminApi } from '@engine/contract/admin-api'
import { useQuery } from '@tanstack/react-query'
import { Play, Zap } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { type ApiError, request } from '../../api/http.ts'
import { Tags } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { CodeBlock } from '../../components/code.tsx'
import { SearchInput } from '../../components/field.tsx'
import { Card, Facts, Page } from '../../components/page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/states.tsx'
import { shortText } from '../../components/visible-text.ts'
import { Restored } from '../../drafts/restored.tsx'
import { usePathParts } from '../../shell/address.ts'
import schema from '../schema/schema.module.css'
import { anonymousSubject, type Subject, subjectText } from '../subject/subject.ts'
import { SubjectPicker } from '../subject/subject-picker.tsx'
import { ActionInputs } from './action-inputs.tsx'
import css from './actions.module.css'
import { useActionRun } from './use-action-run.ts'

export default function Actions(): ReactNode {
  const [, name] = usePathParts()
  const [search, setSearch] = useState('')
  const [subject, setSubject] = useState<Subject>(anonymousSubject)
  const { data, error, refetch } = useQuery<AdminApi['GET /actions'], ApiError>({
    queryKey: ['actions'],
    queryFn: ({ signal }) => request('GET /actions', { signal }),
    staleTime: 60_000,
  })
  const found = data?.actions.filter((action) =>
    action.name.toLowerCase().includes(search.toLowerCase()),
  )
  const chosen = data?.actions.find((action) => action.name === name)
  return (
    <Page
      isFull
      title="Actions"
      lead="Functions of the server, run as a caller of your choice. Runs are real."
    >
      {error !== null && data === undefined ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : found === undefined ? (
        <Skeleton lines={10} height={30} />
      ) : data?.actions.length === 0 ? (
        <Card>
          <EmptyState icon={<Zap aria-hidden />} title="No actions">
            Write one with <code>defineAction</code> under <code>actions</code> in the
            configuration: its input becomes a form here.
          </EmptyState>
        </Card>
      ) : (
        <div className={schema['columns']} data-table={chosen !== undefined || undefined}>
          <nav className={schema['tree']} aria-label="Actions">
            <SearchInput label="Search actions" keyHint="/" value={search} onValue={setSearch} />
            <ul className={css['list']}>
              {found.map((action) => (
                <li key={action.name}>
                  <Link
                    href={`/actions/${encodeURIComponent(action.name)}`}
                    className={css['item']}
                    aria-current={action.name === name ? 'page' : undefined}
                    title={shortText(action.name)}
                  >
                    <bdi>{shortText(action.name, 80)}</bdi>
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
          <div className={schema['detail']}>
            {chosen === undefined ? (
              <EmptyState
                icon={<Zap aria-hidden />}
                title={name === undefined ? 'Choose an action' : 'There is no such action'}
              >
                Fill in its input, choose who runs it, and see its output or why it is refused.
              </EmptyState>
            ) : (
              <Run key={chosen.name} action={chosen} subject={subject} onSubject={setSubject} />
            )}
          </div>
        </div>
      )}
    </Page>
  )
}

function Run({
  action,
  subject,
  onSubject,
}: {
  readonly action: ActionFacts
  readonly subject: Subject
  readonly onSubject: (subject: Subject) => void
}): ReactNode {
  const form = useActionRun(action, subject)
  const { run } = form
  const submit = (event: FormEvent) => {
    event.preventDefault()
    run.run()
  }
  return (
    <div className={css['run']}>
      <div className={css['head']}>
        <h2 className={css['title']}>
          <bdi>{shortText(action.name)}</bdi>
        </h2>
        {action.description !== null && <p>{shortText(action.description, 1_000)}</p>}
      </div>
      <Restored draft={form.draft} onDiscard={form.reset} />
      <form className={css['columns']} onSubmit={submit} noValidate>
        <Card title="Input">
          <div className={css['fields']}>
            <ActionInputs form={form} />
          </div>
        </Card>
        <Card title="Caller">
          <div className={css['fields']}>
            <Facts facts={[['May run it', <Tags key="roles" names={action.roles} limit={6} />]]} />
            <SubjectPicker subject={subject} onSubject={onSubject} allowsAdmin />
            <Button
              type="submit"
              look={subject.kind === 'admin' ? 'danger' : 'primary'}
              icon={<Play aria-hidden />}
              isBusy={run.isPending}
            >
              Run as {subjectText(subject)}
            </Button>
          </div>
        </Card>
      </form>
      <div role="status">
        {run.error !== null && <ErrorState title="The action was refused" error={run.error} />}
        {run.data !== undefined && (
          <Card title={`Output, after ${run.data.elapsedMs.toFixed(0)} ms`}>
            <CodeBlock
              label="the output"
              language="json"
              text={JSON.stringify(run.data.output, null, 2)}
              isTall
            />
          </Card>
        )}
      </div>
    </div>
  )
}
