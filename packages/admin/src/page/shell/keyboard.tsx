/** @module Keys that work on every page. */
import { type ReactNode, useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { Dialog } from '../components/dialog.tsx'
import css from './keyboard.module.css'
import { places } from './places.ts'

export interface KeyActions {
  readonly onPalette: () => void
  readonly onHelp: () => void
}

/** `g` and a letter within a second goes to a page; `/` goes to the search of the page. */
export function useKeys({ onPalette, onHelp }: KeyActions): void {
  const [, go] = useLocation()
  const lastG = useRef(0)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        onPalette()
        return
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return
      const place = places.find(({ key }) => key === event.key)
      if (place !== undefined && event.timeStamp - lastG.current < 1_000) {
        lastG.current = 0
        go(place.path)
      } else if (event.key === 'g') {
        lastG.current = event.timeStamp
      } else if (event.key === '?') {
        onHelp()
      } else if (event.key === '/') {
        const search = document.querySelector<HTMLInputElement>('main input[type="search"]')
        if (search === null) return
        event.preventDefault()
        search.focus()
      }
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [go, onPalette, onHelp])
}

function isTyping({ target }: KeyboardEvent): boolean {
  return (
    target instanceof HTMLElement &&
    (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) ||
      target.isContentEditable ||
      target.shadowRoot !== null)
  )
}

export function KeyboardMap({
  isOpen,
  onClose,
}: {
  readonly isOpen: boolean
  readonly onClose: () => void
}): ReactNode {
  const lines: readonly (readonly [readonly string[], string])[] = [
    [['Ctrl', 'K'], 'Find pages, tables and permissions'],
    [['/'], 'Search on this page'],
    [['?'], 'This list'],
    [['↑', '↓'], 'Move between rows; Enter opens one'],
    [['Ctrl', 'Enter'], 'Run or explain the statement'],
    ...places.map(({ key, label }) => [['g', key], `Go to ${label}`] as const),
  ]
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Keyboard">
      <dl className={css['keys']}>
        {lines.map(([keys, text]) => (
          <div key={text} className={css['line']}>
            <dt>{text}</dt>
            <dd>
              {keys.map((key) => (
                <kbd key={key} className={css['key']}>
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
