/** @module Actions as forms, run as a caller of choice. */
import type { ActionFacts, AdminApi } from '@engine/contract/admin-api'
import { useQuery } from '@tanstack/react-query'
import { Play, Zap } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { type ApiError, request } from '../../api/http.ts'
import { useSubmit } from '../../api/use-submit.ts'
import { Tags } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { CodeBlock } from '../../components/code.tsx'
import { Field, SearchInput, TextArea, TextInput } from '../../components/field.tsx'
import { Card, Facts, Page } from '../../components/page.tsx'
import { Select } from '../../components/select.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/states.tsx'
import { shortText } from '../../components/visible-text.ts'
import { Restored } from '../../drafts/restored.tsx'
import { mayHoldSecrets } from '../../drafts/secrets.ts'
import { isTexts, useDraft, useKeep } from '../../drafts/use-draft.ts'
import { usePathParts } from '../../shell/address.ts'
import schema from '../schema/schema.module.css'
import { anonymousSubject, type Subject, subjectBody, subjectText } from '../subject/subject.ts'
import { SubjectPicker } from '../subject/subject-picker.tsx'
import css from './actions.module.css'
import { type FormField, fieldsOf, inputOf, parsed } from './form-fields.ts'

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

interface Outcome {
  readonly output: unknown
  readonly elapsedMs: number
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
  const fields = fieldsOf(action.input)
  const draft = useDraft(`action ${action.name}`, inputIn)
  const [typed, setTyped] = useState(draft.restored?.value.typed ?? {})
  const [whole, setWhole] = useState(draft.restored?.value.whole ?? '')
  const isEdited = whole !== '' || Object.values(typed).some((text) => text !== '')
  useKeep(draft, isEdited ? { typed, whole } : undefined, !mayHoldSecrets({ ...typed, '': whole }))
  const run = useSubmit<Outcome>({
    changes: ['data'],
    send: async (_, signal) => {
      const input =
        fields !== undefined
          ? inputOf(fields, typed)
          : whole.trim() === ''
            ? undefined
            : parsed(whole, 'The input')
      const startMs = performance.now()
      const { output } = await request('POST /actions/:name', {
        params: { name: action.name },
        signal,
        body: { ...(input === undefined ? {} : { input }), ...subjectBody(subject) },
      })
      return { output, elapsedMs: performance.now() - startMs }
    },
  })
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
      <Restored
        draft={draft}
        onDiscard={() => {
          setTyped({})
          setWhole('')
        }}
      />
      <form className={css['columns']} onSubmit={submit} noValidate>
        <Card title="Input">
          <div className={css['fields']}>
            {fields === undefined ? (
              <Field label="Input" hint="A JSON value; empty for an action without input.">
                {(ids) => (
                  <TextArea
                    {...ids}
                    className="mono"
                    rows={6}
                    value={whole}
                    onChange={(event) => setWhole(event.currentTarget.value)}
                  />
                )}
              </Field>
            ) : fields.length === 0 ? (
              <p className="faint">This action takes no input.</p>
            ) : (
              fields.map((field) => (
                <InputField
                  key={field.name}
                  field={field}
                  value={typed[field.name] ?? ''}
                  onValue={(text) => setTyped({ ...typed, [field.name]: text })}
                />
              ))
            )}
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

interface ActionInput {
  readonly typed: Readonly<Record<string, string>>
  readonly whole: string
}

function inputIn(value: unknown): ActionInput | undefined {
  const { typed, whole } = value as Partial<ActionInput>
  return isTexts(typed) && typeof whole === 'string' ? { typed, whole } : undefined
}

function InputField({
  field: { name, kind, isRequired, choices, hint },
  value,
  onValue,
}: {
  readonly field: FormField
  readonly value: string
  readonly onValue: (text: string) => void
}): ReactNode {
  const label = `${shortText(name, 80)}${isRequired ? '' : ' (optional)'}`
  return (
    <Field label={label} {...(hint === '' ? {} : { hint: shortText(hint, 400) })}>
      {(ids) =>
        choices.length > 0 ? (
          <Select
            id={ids.id}
            value={value}
            onValue={onValue}
            choices={[
              { value: '', label: 'Left out' },
              ...choices.map((choice) => ({ value: choice, label: shortText(choice, 80) })),
            ]}
          />
        ) : kind === 'json' ? (
          <TextArea
            {...ids}
            className="mono"
            rows={3}
            value={value}
            onChange={(event) => onValue(event.currentTarget.value)}
          />
        ) : (
          <TextInput
            {...ids}
            inputMode={kind === 'number' ? 'decimal' : 'text'}
            value={value}
            onChange={(event) => onValue(event.currentTarget.value)}
          />
        )
      }
    </Field>
  )
}
