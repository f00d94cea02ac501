import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import css from './data.module.css'
import { pageSize } from './statement.ts'

/** Which rows are shown, and the pages before and after them. */
export function Pager({
  page,
  count,
  hasMore,
  isReading,
  onPage,
}: {
  /** From 1 on. */
  readonly page: number
  /** Rows of this page. */
  readonly count: number
  readonly hasMore: boolean
  readonly isReading: boolean
  readonly onPage: (page: number) => void
}): ReactNode {
  const first = (page - 1) * pageSize + 1
  return (
    <div className={css['pager']}>
      <span className="numbers" role="status">
        {count === 0
          ? 'No rows'
          : `Rows ${first.toLocaleString()}–${(first + count - 1).toLocaleString()}`}
        {isReading && ' · reading'}
      </span>
      <Button
        size="small"
        icon={<ChevronLeft aria-hidden />}
        aria-label="Page before"
        disabled={page === 1}
        onClick={() => onPage(page - 1)}
      />
      <Button
        size="small"
        icon={<ChevronRight aria-hidden />}
        aria-label="Next page"
        disabled={!hasMore}
        onClick={() => onPage(page + 1)}
      />
    </div>
  )
}
