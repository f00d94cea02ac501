import { type ReactNode, useEffect, useState } from 'react'
import { Skeleton } from '../../components/states.tsx'
import css from './query.module.css'

/** How long a statement runs already. */
export function Running({ sinceMs }: { readonly sinceMs: number }): ReactNode {
  const [nowMs, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 100)
    return () => clearInterval(timer)
  }, [])
  return (
    <div className={css['inside']}>
      <p className={css['running']}>
        Running for{' '}
        <span className="numbers">{(Math.max(0, nowMs - sinceMs) / 1_000).toFixed(1)} s</span>
      </p>
      <Skeleton lines={5} height={36} />
    </div>
  )
}
