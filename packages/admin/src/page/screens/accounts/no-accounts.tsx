import { Users } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ApiError } from '../../api/http.ts'
import { EmptyState, ErrorState } from '../../components/states.tsx'

/** An error of a list; 404 means that accounts are not configured. */
export function ListError({
  error,
  onRetry,
}: {
  readonly error: ApiError
  readonly onRetry: () => void
}): ReactNode {
  if (error.status !== 404) return <ErrorState error={error} onRetry={onRetry} />
  return (
    <EmptyState icon={<Users aria-hidden />} title="No accounts here">
      {error.message} Add <code>auth: {'{ secret }'}</code> to the configuration, and users can sign
      up.
    </EmptyState>
  )
}
