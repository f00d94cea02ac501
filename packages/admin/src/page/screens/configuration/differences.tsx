import type { ReactNode } from 'react'
import { useShown } from '../../api/stored.ts'
import { Card } from '../../components/page.tsx'
import { ErrorState, Skeleton } from '../../components/states.tsx'
import { Changes } from '../stored/changes.tsx'
import css from './differences.module.css'

/** What is stored and differs from the configuration in code, which has no effect after the first start. */
export function Differences(): ReactNode {
  const { data, error, refetch } = useShown('differences')
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton lines={6} />
  return (
    <Card title="Stored, and different in code">
      <p className={css['lead']}>
        Removed lines are those of the code, added ones are stored and served. An option that the
        code has and nothing stores has its built-in default.
      </p>
      <Changes changes={data.value.changes} />
    </Card>
  )
}
