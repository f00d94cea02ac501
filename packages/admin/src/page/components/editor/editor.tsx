import { lazy, type ReactNode, Suspense, useMemo } from 'react'
import { useCatalog } from '../../api/queries.ts'
import { Skeleton } from '../states.tsx'
import css from './editor.module.css'

const SqlEditor = lazy(() => import('./sql-editor.tsx'))

/** The SQL editor with completion from the catalog; loaded when it is needed. */
export function Editor({
  value,
  onValue,
  onRun,
  label = 'SQL',
  faultAt,
}: {
  readonly value: string
  readonly onValue: (value: string) => void
  readonly onRun: () => void
  readonly label?: string
  readonly faultAt?: number | undefined
}): ReactNode {
  const { data: catalog } = useCatalog()
  const schema = useMemo(
    () =>
      Object.fromEntries(
        Object.entries(catalog?.connections ?? {}).map(([connection, { tables }]) => [
          connection,
          Object.fromEntries(
            Object.entries(tables).map(([table, { columns }]) => [table, Object.keys(columns)]),
          ),
        ]),
      ),
    [catalog],
  )
  return (
    <div className={css['frame']}>
      <Suspense
        fallback={
          <div className={css['waiting']}>
            <Skeleton lines={3} />
          </div>
        }
      >
        <SqlEditor
          value={value}
          onValue={onValue}
          onRun={onRun}
          label={label}
          schema={schema}
          faultAt={faultAt}
        />
      </Suspense>
    </div>
  )
}
