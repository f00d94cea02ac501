/** @module Which schemas of a PostgreSQL database a new connection shows. */

import type { FoundSchema } from '@engine/contract/admin-api'
import type { ReactNode } from 'react'
import { shortText } from '../../components/visible-text.ts'
import { isOffered } from './chosen-schemas.ts'
import css from './start.module.css'

export function SchemaChoice({
  found,
  chosen,
  onChosen,
}: {
  readonly found: readonly FoundSchema[]
  readonly chosen: readonly string[]
  readonly onChosen: (names: readonly string[]) => void
}): ReactNode {
  if (!isOffered(found)) return null
  return (
    <fieldset className={css['kinds']}>
      <legend>Schemas</legend>
      <div className={css['options']}>
        {found.map(({ name, tables }) => (
          <label key={name} className={css['option']}>
            <input
              type="checkbox"
              checked={chosen.includes(name)}
              onChange={({ currentTarget: { checked } }) =>
                onChosen(
                  found
                    .map((schema) => schema.name)
                    .filter((each) => (each === name ? checked : chosen.includes(each))),
                )
              }
            />
            <bdi>{shortText(name, 63)}</bdi>, {tables.toLocaleString()}{' '}
            {tables === 1 ? 'table' : 'tables'}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
