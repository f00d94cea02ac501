/** @module What stands in place of content: nothing there, an error, not loaded yet. */
import { CircleAlert, RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import css from './states.module.css'
import { shortText } from './visible-text.ts'

/** Says what would be here and how it gets here. */
export function EmptyState({
  icon,
  title,
  children,
  action,
}: {
  readonly icon?: ReactNode
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
}): ReactNode {
  return (
    <div className={css['empty']}>
      {icon !== undefined && <div className={css['icon']}>{icon}</div>}
      <p className={css['title']}>{title}</p>
      {children !== undefined && <div className={css['text']}>{children}</div>}
      {action !== undefined && <div className={css['action']}>{action}</div>}
    </div>
  )
}

export function ErrorState({
  title = 'This could not be loaded',
  error,
  onRetry,
}: {
  readonly title?: string
  readonly error: { readonly message: string; readonly code?: string; readonly requestId?: string }
  readonly onRetry?: () => void
}): ReactNode {
  const { message, code, requestId } = error
  return (
    <div className={css['error']} role="alert">
      <CircleAlert aria-hidden />
      <div className={css['texts']}>
        <p className={css['title']}>{title}</p>
        <p className={css['message']}>{shortText(message, 2_000)}</p>
        {code !== undefined && (
          <p className={css['facts']}>
            {code}
            {requestId !== undefined && ` · request ${requestId}`}
          </p>
        )}
      </div>
      {onRetry !== undefined && (
        <Button size="small" icon={<RotateCw aria-hidden />} onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  )
}

/** Lines in the height of the text that comes, so that nothing moves when it is there. */
export function Skeleton({
  lines = 3,
  height = 20,
}: {
  readonly lines?: number
  readonly height?: number
}): ReactNode {
  return (
    <div className={css['skeleton']} aria-busy="true" aria-label="Loading" role="status">
      {Array.from({ length: lines }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all lines are alike
        <div key={index} className={css['bone']} style={{ height }}>
          <span style={{ width: `${[72, 54, 88, 63, 40][index % 5]}%` }} />
        </div>
      ))}
    </div>
  )
}
