/** @module The first run: from no database to a role that reads its own rows, in five steps. */
import type { EngineStatus } from '@engine/contract/admin-api'
import { useQueryClient } from '@tanstack/react-query'
import { Check, Compass } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { Link, useLocation } from 'wouter'
import { useStatus } from '../../api/queries.ts'
import { useSource } from '../../api/stored.ts'
import { Button } from '../../components/button.tsx'
import { classes } from '../../components/classes.ts'
import { Page } from '../../components/page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/states.tsx'
import { usePathParts, useSearchText } from '../../shell/address.ts'
import { ConnectStep } from './connect-step.tsx'
import { RulesStep } from './rules-step.tsx'
import css from './start.module.css'
import {
  isDone,
  isReachable,
  leave,
  nextStep,
  type Progress,
  progressOf,
  type StepId,
  stepIds,
} from './start-address.ts'
import { TablesStep } from './tables-step.tsx'
import { TryStep } from './try-step.tsx'
import { UseStep } from './use-step.tsx'

interface Step {
  readonly label: string
  readonly title: string
  readonly lead: string
  readonly content: () => ReactNode
}

const steps: Readonly<Record<StepId, Step>> = {
  connect: {
    label: 'Connect',
    title: 'Connect your database',
    lead: 'Engine reads its tables and changes nothing. The password is encrypted, and never shown again.',
    content: ConnectStep,
  },
  tables: {
    label: 'Tables',
    title: 'See its tables',
    lead: 'Nobody can reach any of them yet: whatever no rule grants is refused.',
    content: TablesStep,
  },
  rules: {
    label: 'Rules',
    title: 'Give a role its rules',
    lead: 'A first guess from columns that say whose a row is. Change it here, or later in every detail.',
    content: RulesStep,
  },
  try: {
    label: 'Try',
    title: 'Try it as that role',
    lead: 'What a caller with this role sees, asked of the engine itself.',
    content: TryStep,
  },
  use: {
    label: 'Use',
    title: 'Use it',
    lead: 'A key for the role, and a first query from your own program.',
    content: UseStep,
  },
}

export default function Start(): ReactNode {
  const [, wanted] = usePathParts()
  const [, go] = useLocation()
  const search = useSearchText()
  const { data: status, error, refetch } = useStatus()
  const source = useSource()
  const client = useQueryClient()
  const progress = status && progressOf(status)
  const step = progress && stepAt(wanted, progress)
  // An old address, or one of a step whose ground is gone, leads to where the first run is.
  useEffect(() => {
    // A step that has just saved something goes on before this component is rendered with the new status.
    const newest = client.getQueryData<EngineStatus>(['status'])
    const next = newest && stepAt(wanted, progressOf(newest))
    if (step !== undefined && next !== undefined && next !== wanted) {
      go(addressOf(next, search), { replace: true })
    }
  }, [client, step, wanted, search, go])
  if (error !== null && status === undefined) {
    return (
      <Page title="Get started">
        <ErrorState error={error} onRetry={() => void refetch()} />
      </Page>
    )
  }
  if (source !== undefined && source !== 'stored')
    return <NotStored isReadOnly={source !== 'code'} />
  const { title, lead, content: Content } = steps[step ?? 'connect']
  const onLeave = () => {
    leave()
    go('/')
  }
  return (
    <Page
      title={title}
      lead={lead}
      actions={
        <Button size="small" onClick={onLeave}>
          Leave for now
        </Button>
      }
    >
      {progress === undefined || step === undefined ? (
        <Skeleton lines={8} />
      ) : (
        <>
          <Steps at={step} progress={progress} search={search} />
          <Content key={step} />
        </>
      )}
    </Page>
  )
}

/** The step of the address, else where the first run goes on. */
function stepAt(wanted: string | undefined, progress: Progress): StepId {
  const known = stepIds.find((id) => id === wanted)
  return known !== undefined && isReachable(known, progress) ? known : nextStep(progress)
}

function addressOf(step: StepId, search: string): string {
  return `/start/${step}${search === '' ? '' : `?${search}`}`
}

function Steps({
  at,
  progress,
  search,
}: {
  readonly at: StepId
  readonly progress: Progress
  readonly search: string
}): ReactNode {
  return (
    <nav aria-label="Steps">
      <ol className={css['steps']}>
        {stepIds.map((id, index) => {
          const isHere = id === at
          const content = (
            <>
              <span className={css['number']} aria-hidden>
                {isDone(id, at, progress) && !isHere ? <Check /> : index + 1}
              </span>
              <span className={css['stepLabel']}>{steps[id].label}</span>
              {isDone(id, at, progress) && <span className="visually-hidden">, done</span>}
            </>
          )
          return (
            <li key={id}>
              {isReachable(id, progress) ? (
                <Link
                  href={addressOf(id, search)}
                  className={classes(css['step'], isHere && css['here'])}
                  aria-current={isHere ? 'step' : undefined}
                >
                  {content}
                </Link>
              ) : (
                <span className={classes(css['step'], css['later'])}>{content}</span>
              )}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}

function NotStored({ isReadOnly }: { readonly isReadOnly: boolean }): ReactNode {
  return (
    <Page title="Get started">
      <EmptyState
        icon={<Compass aria-hidden />}
        title={isReadOnly ? 'The stored configuration is read-only' : 'Code defines this engine'}
        action={
          <Link href="/" className={css['link']}>
            To the overview
          </Link>
        }
      >
        {isReadOnly ? (
          <>
            These steps add a database and rules, which <code>admin.readOnly</code> refuses.
          </>
        ) : (
          <>
            Its databases and rules are in the configuration file. To set up an engine from these
            pages, start <code>engine-server --interactive</code> in an empty directory.
          </>
        )}
      </EmptyState>
    </Page>
  )
}
