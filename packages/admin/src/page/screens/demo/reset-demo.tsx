import { RotateCcw } from 'lucide-react'
import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { request } from '../../api/http.ts'
import { storedQueries } from '../../api/stored.ts'
import { useSubmit } from '../../api/use-submit.ts'
import { Button } from '../../components/button.tsx'
import { useToasts } from '../../components/toast.tsx'
import { restartTour } from './tour-store.ts'

/** Sets rows and rules of the demo back to those of the start, and leaves pages that show others. */
export function ResetDemo(): ReactNode {
  const [, go] = useLocation()
  const { done, failed } = useToasts()
  const work = useSubmit({
    send: (_, signal) => request('POST /demo/reset', { signal }),
    changes: [...storedQueries, 'data', 'rows'],
    onDone: () => {
      done('The demo is reset', 'Its rows and rules are those of the start.')
      go('/')
      restartTour()
    },
    onFailed: ({ message }) => failed('The demo is not reset', message),
  })
  return (
    <Button
      size="small"
      icon={<RotateCcw aria-hidden />}
      isBusy={work.isPending}
      title="Sets all rows and rules back to those of the start"
      onClick={() => work.run()}
    >
      Reset the demo
    </Button>
  )
}
