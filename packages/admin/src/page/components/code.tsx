import { Fragment, type ReactNode } from 'react'
import { classes } from './classes.ts'
import css from './code.module.css'
import { CopyButton } from './copy-button.tsx'
import { type Language, tokensOf } from './highlight.ts'
import { visibleText } from './visible-text.ts'

/** Texts longer than this are shown without colours. */
const longest = 20_000

export function Code({
  text,
  language = 'plain',
}: {
  readonly text: string
  readonly language?: Language
}): ReactNode {
  if (language === 'plain' || text.length > longest) return visibleText(text)
  return tokensOf(text, language).map(({ kind, text: part }, index) =>
    kind === 'plain' ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: tokens of a text that does not change
      <Fragment key={index}>{visibleText(part)}</Fragment>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: tokens of a text that does not change
      <span key={index} className={css[kind]}>
        {visibleText(part)}
      </span>
    ),
  )
}

/** A block of code with a button that copies it. */
export function CodeBlock({
  text,
  language = 'plain',
  label,
  isTall = false,
}: {
  readonly text: string
  readonly language?: Language
  readonly label: string
  readonly isTall?: boolean
}): ReactNode {
  return (
    <figure className={css['block']}>
      <pre
        className={classes(css['pre'], isTall && css['tall'])}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
        tabIndex={0}
        role="region"
        aria-label={label}
      >
        <code>
          <Code text={text} language={language} />
        </code>
      </pre>
      <div className={css['copy']}>
        <CopyButton text={text} label={`Copy ${label}`} />
      </div>
    </figure>
  )
}

export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

/** Lines that were removed and added. */
export function Diff({ lines }: { readonly lines: readonly DiffLine[] }): ReactNode {
  return (
    <div className={css['diff']}>
      {lines.map(({ kind, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other key
        <div key={index} className={classes(css['line'], css[kind])}>
          <span className={css['sign']}>
            {kind === 'added' ? '+' : kind === 'removed' ? '−' : ' '}
          </span>
          {visibleText(text)}
        </div>
      ))}
    </div>
  )
}
