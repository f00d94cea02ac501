/** @module The rows of a table as a caller of choice, page by page; their values can be changed. */
import { Rows3, UserRound } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useCatalog } from '../../api/queries.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Card, Page } from '../../components/page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/states.tsx'
import { usePathParts, useSearchText } from '../../shell/address.ts'
import schema from '../schema/schema.module.css'
import { Tree } from '../schema/tree.tsx'
import {
  anonymousSubject,
  type Subject,
  subjectFromQuery,
  subjectText,
} from '../subject/subject.ts'
import { SubjectPicker } from '../subject/subject-picker.tsx'
import { useNamedSubject } from '../subject/use-found-callers.ts'
import css from './data.module.css'
import { Rows } from './rows.tsx'

export default function Data(): ReactNode {
  const [, connection, table] = usePathParts()
  const search = useSearchText()
  const { data, error, refetch } = useCatalog()
  const [subject, setSubject] = useState<Subject | undefined>(() =>
    new URLSearchParams(search).has('as') ? subjectFromQuery(search).subject : undefined,
  )
  const named = useNamedSubject(subject ?? anonymousSubject)
  const [isChoosing, setChoosing] = useState(false)
  const tables = connection === undefined ? undefined : data?.connections[connection]?.tables
  const known = table === undefined ? undefined : tables?.[table]
  return (
    <Page
      isFull
      title="Browse"
      lead="Rows as a caller of your choice sees and changes them, through the same checks as any request."
      actions={
        <Button
          look={subject?.kind === 'admin' ? 'danger' : 'default'}
          icon={<UserRound aria-hidden />}
          onClick={() => setChoosing(true)}
        >
          {subject === undefined ? 'Choose a caller' : `As ${subjectText(named)}`}
        </Button>
      }
    >
      {error !== null && data === undefined ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton lines={10} height={30} />
      ) : (
        <div className={schema['columns']} data-table={table !== undefined || undefined}>
          <Tree place="/data" catalog={data} connection={connection} table={table} />
          <div className={css['place']}>
            {connection === undefined || table === undefined || known === undefined ? (
              <EmptyState
                icon={<Rows3 aria-hidden />}
                title={table === undefined ? 'Choose a table' : 'There is no such table'}
              >
                Filter and sort its rows, follow foreign keys, and change values with the statement
                in view.
              </EmptyState>
            ) : subject === undefined ? (
              <Card>
                <EmptyState
                  icon={<UserRound aria-hidden />}
                  title="As whom?"
                  action={
                    <Button look="primary" onClick={() => setChoosing(true)}>
                      Choose a caller
                    </Button>
                  }
                >
                  Rows, columns and values are those that this caller may see. Each read is recorded
                  in the audit.
                </EmptyState>
              </Card>
            ) : (
              <Rows
                key={`${connection}.${table}`}
                catalog={data}
                connection={connection}
                name={table}
                table={known}
                subject={subject}
                search={search}
              />
            )}
          </div>
        </div>
      )}
      {isChoosing && (
        <ChooseSubject
          subject={named}
          onClose={() => setChoosing(false)}
          onSubject={(chosen) => {
            setSubject(chosen)
            setChoosing(false)
          }}
        />
      )}
    </Page>
  )
}

function ChooseSubject({
  subject,
  onSubject,
  onClose,
}: {
  readonly subject: Subject
  readonly onSubject: (subject: Subject) => void
  readonly onClose: () => void
}): ReactNode {
  const [chosen, setChosen] = useState(subject)
  return (
    <Dialog
      isOpen
      place="drawer"
      onClose={onClose}
      title="Caller"
      description="Every statement of this page runs as this caller."
      onSubmit={() => onSubject(chosen)}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look={chosen.kind === 'admin' ? 'danger' : 'primary'}>
            Browse as {subjectText(chosen)}
          </Button>
        </>
      }
    >
      <SubjectPicker subject={chosen} onSubject={setChosen} allowsAdmin />
    </Dialog>
  )
}
