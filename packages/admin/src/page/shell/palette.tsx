import { Dialog } from '@base-ui/react/dialog'
import { LogOut, type LucideIcon, Search, ShieldCheck, Table2 } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { tableNames, useCatalog, useMatrix } from '../api/queries.ts'
import { shortText } from '../components/visible-text.ts'
import css from './palette.module.css'
import { places } from './places.ts'

interface Found {
  readonly id: string
  readonly label: string
  readonly kind: string
  readonly icon: LucideIcon
  readonly run: () => void
}

export function Palette(props: {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onSignOut: () => void
}): ReactNode {
  return (
    <Dialog.Root open={props.isOpen} onOpenChange={(open) => !open && props.onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={css['backdrop']} />
        <Dialog.Popup className={css['popup']} aria-label="Find">
          {props.isOpen && <Finder {...props} />}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Finder({
  onClose,
  onSignOut,
}: {
  readonly onClose: () => void
  readonly onSignOut: () => void
}): ReactNode {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const all = useEverything(onSignOut)
  const found = useMemo(() => search(all, text), [all, text])
  const choose = (item: Found | undefined) => {
    if (item === undefined) return
    onClose()
    item.run()
  }
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setAt((now) => (now + step + found.length) % Math.max(1, found.length))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      choose(found[at])
    }
  }
  return (
    <>
      <div className={css['search']}>
        <Search aria-hidden />
        <input
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={found[at] && `palette-${at}`}
          aria-label="Find pages, tables and permissions"
          placeholder="Find pages, tables and permissions"
          spellCheck={false}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value)
            setAt(0)
          }}
          onKeyDown={onKey}
        />
      </div>
      <div id="palette-list" role="listbox" aria-label="Found" className={css['list']}>
        {found.map((item, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys
          <div
            key={item.id}
            id={`palette-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            className={css['item']}
            ref={(element) => {
              if (index === at) element?.scrollIntoView({ block: 'nearest' })
            }}
            onMouseMove={() => setAt(index)}
            onClick={() => choose(item)}
          >
            <item.icon aria-hidden />
            <span className={css['label']}>{shortText(item.label)}</span>
            <span className={css['kind']}>{item.kind}</span>
          </div>
        ))}
      </div>
      {found.length === 0 && <p className={css['nothing']}>Nothing matches.</p>}
    </>
  )
}

function useEverything(onSignOut: () => void): readonly Found[] {
  const [, go] = useLocation()
  const { data: catalog } = useCatalog()
  const { data: matrix } = useMatrix()
  return useMemo(() => {
    const rules = [
      ...new Set(matrix?.entries.flatMap(({ grants }) => grants.map((g) => g.permission)) ?? []),
    ]
    return [
      ...places.map(({ path, label, icon }) => ({
        id: path,
        label,
        kind: 'Page',
        icon,
        run: () => go(path),
      })),
      ...tableNames(catalog).map((name) => {
        const dot = name.indexOf('.')
        const path = [name.slice(0, dot), name.slice(dot + 1)].map(encodeURIComponent).join('/')
        return {
          id: `table ${name}`,
          label: name,
          kind: 'Table',
          icon: Table2,
          run: () => go(`/schema/${path}`),
        }
      }),
      ...rules.map((name) => ({
        id: `permission ${name}`,
        label: name,
        kind: 'Permission',
        icon: ShieldCheck,
        run: () => go(`/permissions/${encodeURIComponent(name)}`),
      })),
      { id: 'sign-out', label: 'Sign out', kind: 'Session', icon: LogOut, run: onSignOut },
    ]
  }, [catalog, matrix, go, onSignOut])
}

/** Those that contain every word, in their order; those that begin with the text come first. */
function search(all: readonly Found[], text: string): readonly Found[] {
  const words = text.toLowerCase().split(/\s+/)
  return all
    .filter(({ label, kind }) => {
      const target = `${label} ${kind}`.toLowerCase()
      return words.every((word) => target.includes(word))
    })
    .toSorted((a, b) => rank(b, words) - rank(a, words))
    .slice(0, 50)
}

function rank({ label }: Found, [first = '']: readonly string[]): number {
  return first !== '' && label.toLowerCase().startsWith(first) ? 1 : 0
}
