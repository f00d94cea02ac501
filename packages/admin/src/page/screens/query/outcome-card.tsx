/** @module What a statement answered, why it was refused, or that it still runs. */
import { CircleStop, Download, SquareTerminal } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Submit } from '../../api/use-submit.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/page.tsx'
import { EmptyState, ErrorState } from '../../components/states.tsx'
import { csvOf } from './export-text.ts'
import type { FaultPlace } from './fault-place.ts'
import css from './query.module.css'
import { Result } from './result.tsx'
import { Running } from './running.tsx'
import { type Outcome, type Run, rowsText } from './use-run.ts'

interface OutcomeCardProps {
  readonly run: Submit<Outcome, Run>
  /** Where in the statement the error is. */
  readonly fault: FaultPlace | undefined
  /** The address of "Explain" with this statement. */
  readonly explain: string
}

export function OutcomeCard(props: OutcomeCardProps): ReactNode {
  const outcome = props.run.data
  return (
    <Card
      isFlush
      isFull
      title={resultTitle(outcome)}
      actions={outcome !== undefined && <CsvButton outcome={outcome} />}
    >
      <OutcomeState {...props} />
    </Card>
  )
}

function OutcomeState({ run, fault, explain }: OutcomeCardProps): ReactNode {
  if (run.error !== null) {
    return (
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
    )
  }
  if (run.isPending) return <Running sinceMs={run.variables?.startedAtMs ?? Date.now()} />
  if (run.isCancelled) {
    return (
      <EmptyState icon={<CircleStop aria-hidden />} title="Cancelled">
        The statement is stopped in the database, unless it had ended just then.
      </EmptyState>
    )
  }
  if (run.data === undefined) {
    return (
      <EmptyState icon={<SquareTerminal aria-hidden />} title="Write a statement">
        PostgreSQL's SQL for every database: <code>select * from "main"."orders"</code>. Press{' '}
        <kbd>Ctrl Enter</kbd> to run it.
      </EmptyState>
    )
  }
  return <Result answer={run.data.answer} />
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
