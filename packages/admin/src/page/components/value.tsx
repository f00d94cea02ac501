/** @module Values of databases in a cell: short, of one line, and with a way to see all of it. */
import { type ReactNode, useState } from 'react'
import { classes } from './classes.ts'
import { CodeBlock } from './code.tsx'
import { Dialog } from './dialog.tsx'
import css from './value.module.css'
import { shortText } from './visible-text.ts'

/** More than this is not put into the page. */
const longestShown = 200_000

export function Value({
  value,
  name,
}: {
  readonly value: unknown
  readonly name: string
}): ReactNode {
  const [isOpen, setOpen] = useState(false)
  if (value === null) return <span className={css['null']}>NULL</span>
  if (value === undefined) return <span className={css['null']}>—</span>
  if (typeof value === 'number' || typeof value === 'boolean') {
    return <span className={css['plain']}>{String(value)}</span>
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (text === '') return <span className={css['null']}>empty</span>
  if (text.length <= 60 && !text.includes('\n')) {
    return (
      <bdi className={css['plain']} title={shortText(text)}>
        {shortText(text)}
      </bdi>
    )
  }
  const shown = typeof value === 'string' ? text : JSON.stringify(value, null, 2)
  return (
    <>
      <button
        type="button"
        className={classes(css['plain'], css['more'])}
        title="Show all"
        onClick={(event) => {
          event.stopPropagation()
          setOpen(true)
        }}
      >
        <bdi>{shortText(text, 160)}</bdi>
      </button>
      {isOpen && (
        <Dialog
          isOpen
          isWide
          onClose={() => setOpen(false)}
          title={shortText(name)}
          description={`${text.length.toLocaleString()} characters${shown.length > longestShown ? `, of which the first ${longestShown.toLocaleString()} are shown` : ''}`}
        >
          <CodeBlock
            label="the value"
            text={shown.slice(0, longestShown)}
            language={typeof value === 'string' ? 'plain' : 'json'}
            isTall
          />
        </Dialog>
      )}
    </>
  )
}
