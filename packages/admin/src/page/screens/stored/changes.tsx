import type { ShownChange } from '@engine/contract/admin-api'
import type { ReactNode } from 'react'
import { Diff, type DiffLine } from '../../components/code.tsx'
import { shortText } from '../../components/visible-text.ts'
import css from './stored.module.css'

/** What differs between two revisions, path by path. */
export function Changes({ changes }: { readonly changes: readonly ShownChange[] }): ReactNode {
  if (changes.length === 0) return <p className={css['quiet']}>Nothing differs.</p>
  return (
    <ul className={css['changes']}>
      {changes.map((change) => (
        <li key={change.path}>
          <p className={css['path']}>
            <bdi>{shortText(change.path, 300)}</bdi>
          </p>
          {change.isSecret ? (
            <p className={css['quiet']}>A secret, which is not shown.</p>
          ) : (
            <Diff
              lines={[...linesOf(change.before, 'removed'), ...linesOf(change.after, 'added')]}
            />
          )}
        </li>
      ))}
    </ul>
  )
}

function linesOf(value: unknown, kind: DiffLine['kind']): readonly DiffLine[] {
  if (value === undefined) return []
  return JSON.stringify(value, null, 2)
    .split('\n')
    .map((text) => ({ kind, text: text.slice(0, 2_000) }))
}
