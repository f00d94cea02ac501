/** @module The columns of an operation: all of them, or a checklist. */
import type { ColumnDescription } from '@engine/contract'
import { type ReactNode, useId } from 'react'
import { Button } from '../../../components/button.tsx'
import { Switch } from '../../../components/switch.tsx'
import { shortText } from '../../../components/visible-text.ts'
import css from './editor.module.css'

export function ColumnList({
  label,
  columns,
  chosen,
  onChosen,
}: {
  readonly label: string
  readonly columns: Readonly<Record<string, ColumnDescription>>
  /** undefined: all. */
  readonly chosen: readonly string[] | undefined
  readonly onChosen: (chosen: readonly string[] | undefined) => void
}): ReactNode {
  const id = useId()
  const names = Object.keys(columns)
  const unknown = (chosen ?? []).filter((name) => !names.includes(name))
  const toggle = (name: string) => {
    if (chosen === undefined) return
    const next = chosen.includes(name)
      ? chosen.filter((each) => each !== name)
      : [...names, ...unknown].filter((each) => each === name || chosen.includes(each))
    onChosen(next)
  }
  return (
    <div role="group" aria-labelledby={id} className={css['builder']}>
      <div className={css['labelled']}>
        <h3 id={id} className={css['label']}>
          {label}
        </h3>
        <Switch
          label="All columns"
          isOn={chosen === undefined}
          onChange={(isAll) => onChosen(isAll ? undefined : names)}
        />
      </div>
      {chosen !== undefined && (
        <>
          <div className={css['checks']}>
            {[...names, ...unknown].map((name) => (
              <label key={name} className={css['check']} title={shortText(name)}>
                <input
                  type="checkbox"
                  checked={chosen.includes(name)}
                  onChange={() => toggle(name)}
                />
                <bdi>{shortText(name, 60)}</bdi>
                <span className={css['type']}>
                  {columns[name] === undefined ? 'not in the table' : columns[name].type}
                </span>
              </label>
            ))}
          </div>
          <div className={css['adding']}>
            <Button size="small" look="ghost" onClick={() => onChosen(names)}>
              Check all
            </Button>
            <Button size="small" look="ghost" onClick={() => onChosen([])}>
              Check none
            </Button>
          </div>
        </>
      )}
    </div>
  )
}
