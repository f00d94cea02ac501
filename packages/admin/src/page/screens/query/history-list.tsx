import { Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { Time } from '../../components/time.tsx'
import { shortText } from '../../components/visible-text.ts'
import type { PastQuery } from './history.ts'
import css from './history-list.module.css'

/** Statements that were run here, newest first; a press puts one back into the editor. */
export function HistoryList({
  past,
  onPick,
  onClear,
}: {
  readonly past: readonly PastQuery[]
  readonly onPick: (query: PastQuery) => void
  readonly onClear: () => void
}): ReactNode {
  return (
    <section className={css['history']} aria-label="History">
      <div className={css['head']}>
        <h2 className={css['title']}>History</h2>
        {past.length > 0 && (
          <Button size="small" look="ghost" icon={<Trash2 aria-hidden />} onClick={onClear}>
            Clear
          </Button>
        )}
      </div>
      {past.length === 0 ? (
        <p className={css['hint']}>
          Statements that you run appear here. They stay in this browser until you sign out; those
          that may hold a secret are left out.
        </p>
      ) : (
        <ol className={css['list']}>
          {past.map((query) => (
            <li key={`${query.sql} ${query.params}`}>
              <button
                type="button"
                className={css['entry']}
                title={shortText(query.sql, 500)}
                onClick={() => onPick(query)}
              >
                <span className={css['sql']}>
                  <bdi>{shortText(query.sql.replaceAll(/\s+/g, ' '), 120)}</bdi>
                </span>
                <span className={css['facts']}>
                  {shortText(query.outcome, 40)} · {shortText(query.subject, 40)} ·{' '}
                  <Time at={query.atMs} />
                </span>
              </button>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}
