/** @module What the rule in the editor does for a caller of choice, asked of the engine while it is written. */
import type { PreviewAnswer } from '@engine/contract/admin-api'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type ApiError, request } from '../../../api/http.ts'
import { useSubmit } from '../../../api/use-submit.ts'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { classes } from '../../../components/classes.ts'
import { Field, TextArea } from '../../../components/field.tsx'
import { Card } from '../../../components/page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../../components/states.tsx'
import { shortText } from '../../../components/visible-text.ts'
import { Refusal } from '../../stored/save-dialog.tsx'
import { type Subject, subjectBody } from '../../subject/subject.ts'
import { SubjectPicker } from '../../subject/subject-picker.tsx'
import css from './editor.module.css'
import { tableParts } from './rule.ts'
import { Seen } from './seen.tsx'
import { useRested } from './use-rested.ts'

export function Preview({
  permissions,
  table,
  isComplete,
  firstSubject,
  offeredRoles,
}: {
  /** The draft, by name; null removes a rule. */
  readonly permissions: Readonly<Record<string, unknown>>
  readonly table: string
  /** It has a table and roles. */
  readonly isComplete: boolean
  /** Until another one is chosen: it follows the rule. */
  readonly firstSubject: Subject
  /** Roles of the rule. */
  readonly offeredRoles: readonly string[]
}): ReactNode {
  const [chosen, setSubject] = useState<Subject>()
  const subject = chosen ?? firstSubject
  const asked = useRested({ permissions, table, subject })
  const body = bodyOf(asked)
  const isReady = asked.table !== '' && !(body instanceof Error) && isComplete
  const { data, error, isPlaceholderData, isFetching } = useQuery<PreviewAnswer, ApiError>({
    queryKey: ['preview', body],
    queryFn: ({ signal }) => request('POST /config/preview', { body, signal }),
    enabled: isReady,
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  return (
    <>
      <Card title="Preview" actions={<Badge>nothing is saved</Badge>}>
        <SubjectPicker subject={subject} onSubject={setSubject} offeredRoles={offeredRoles} />
      </Card>
      {!isComplete ? (
        <EmptyState title="Choose a table and a role">
          The engine then says which rows and columns such a caller would see.
        </EmptyState>
      ) : body instanceof Error ? (
        <ErrorState title="The preview needs more" error={body} />
      ) : error !== null && !isFetching ? (
        <Refusal title="The preview refused this rule" error={error} />
      ) : data === undefined ? (
        <Skeleton lines={6} />
      ) : (
        <div
          className={classes(css['stack'], isPlaceholderData && css['stale'])}
          role="region"
          aria-label="Preview"
          aria-live="polite"
        >
          <Seen data={data} />
          {!(body instanceof Error) && <WritePart body={body} table={table} />}
        </div>
      )}
    </>
  )
}

/** A write under the draft, rolled back. */
function WritePart({
  body,
  table,
}: {
  readonly body: Readonly<Record<string, unknown>>
  readonly table: string
}): ReactNode {
  const [sql, setSql] = useState('')
  const tried = useSubmit<PreviewAnswer>({
    send: (_, signal) =>
      request('POST /config/preview', {
        signal,
        body: { ...body, limit: 1, write: { sql } },
      }),
  })
  const simulation = tried.data?.write?.simulation
  return (
    <Card title="Try a write">
      <div className={css['stack']}>
        <Field label="Statement" hint="Runs under this rule, and is rolled back.">
          {(ids) => (
            <TextArea
              {...ids}
              rows={3}
              placeholder={`update ${shortText(table, 80)} set … where …`}
              value={sql}
              onChange={(event) => setSql(event.currentTarget.value)}
            />
          )}
        </Field>
        <div>
          <Button
            size="small"
            isBusy={tried.isPending}
            disabled={sql.trim() === ''}
            onClick={() => tried.run()}
          >
            Simulate
          </Button>
        </div>
        {tried.error !== null && <Refusal title="It was not tried" error={tried.error} />}
        {simulation?.outcome === 'answered' && (
          <p role="status">
            <Badge tone="green">allowed</Badge> {simulation.rowCount}{' '}
            {simulation.rowCount === 1 ? 'row' : 'rows'}, rolled back.
          </p>
        )}
        {simulation?.outcome === 'refused' && (
          <p role="status">
            <Badge tone="red">{simulation.error}</Badge> {shortText(simulation.message, 600)}
          </p>
        )}
      </div>
    </Card>
  )
}

function bodyOf({
  permissions,
  table,
  subject,
}: {
  readonly permissions: Readonly<Record<string, unknown>>
  readonly table: string
  readonly subject: Subject
}): Readonly<Record<string, unknown>> | Error {
  try {
    return { permissions, ...tableParts(table), ...subjectBody(subject) }
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}
