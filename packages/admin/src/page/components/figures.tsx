import type { ReactNode } from 'react'
import { useLostSince } from '../api/reach.ts'
import { clockTime } from './ago.ts'
import css from './figures.module.css'

interface ReadFigures {
  /** Milliseconds since 1970; 0: never. */
  readonly dataUpdatedAt: number
  readonly isRefetchError: boolean
}

/** Does reading the figures again fail? */
export function useIsOld({ dataUpdatedAt, isRefetchError }: ReadFigures): boolean {
  const isLost = useLostSince() !== undefined
  return dataUpdatedAt > 0 && (isRefetchError || isLost)
}

/** Figures that the page reads again by itself. They look old, with their time, while that does not succeed. */
export function Figures({
  query,
  children,
}: {
  readonly query: ReadFigures
  readonly children: ReactNode
}): ReactNode {
  const isOld = useIsOld(query)
  return (
    <div className={css['figures']} data-old={isOld || undefined}>
      {isOld && <p className={css['time']}>As of {clockTime(query.dataUpdatedAt, true)}</p>}
      {children}
    </div>
  )
}
