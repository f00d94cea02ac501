/** @module What a caller sees of a table, as the engine evaluated it. */
import type { PreviewAnswer } from '@engine/contract/admin-api'
import type { ReactNode } from 'react'
import { Badge } from '../../../components/badge.tsx'
import { CodeBlock } from '../../../components/code.tsx'
import { Card } from '../../../components/page.tsx'
import { shortText } from '../../../components/visible-text.ts'
import { Result } from '../../query/result.tsx'
import css from './editor.module.css'

/** Rows, hidden columns, and the SQL that is sent. */
export function Seen({
  data: { counts, columns, rows, explanation },
}: {
  readonly data: PreviewAnswer
}): ReactNode {
  const { seen, all, mostCounted } = counts
  const [statement] = explanation.statements
  const count = (number: number | null) =>
    number === null
      ? '?'
      : number > mostCounted
        ? `${mostCounted.toLocaleString()}+`
        : number.toLocaleString()
  return (
    <>
      <Card
        isFlush={rows.outcome === 'answered'}
        title={
          <span className={css['counts']}>
            <span className={css['seen']}>{count(seen)}</span> of {count(all)} rows
          </span>
        }
        actions={
          rows.outcome === 'answered' ? (
            <Badge tone="green">{columns.visible.length} columns</Badge>
          ) : (
            <Badge tone="red">refused</Badge>
          )
        }
      >
        {rows.outcome === 'answered' ? (
          <Result answer={rows} maxHeight={280} />
        ) : (
          <p>{shortText(rows.message, 600)}</p>
        )}
      </Card>
      {columns.hidden.length > 0 && rows.outcome === 'answered' && (
        <Card title="Hidden columns">
          <div className={css['hidden']}>
            {columns.hidden.map((name) => (
              <Badge key={name}>
                <bdi>{shortText(name, 60)}</bdi>
              </Badge>
            ))}
          </div>
        </Card>
      )}
      {statement !== undefined && (
        <Card title="SQL that is sent">
          <CodeBlock label="statement" language="sql" text={statement.sql} />
        </Card>
      )}
    </>
  )
}
