import type { Catalog } from '@engine/contract/admin-api'
import { Database } from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { Link } from 'wouter'
import { SearchInput } from '../../components/field.tsx'
import { shortText } from '../../components/visible-text.ts'
import css from './schema.module.css'

/** More tables than this are found by the search. */
const mostListed = 400

/** The tables of all connections, as links. */
export function Tree({
  place,
  catalog,
  connection,
  table,
}: {
  /** The page that shows a table. */
  readonly place: '/schema' | '/data'
  readonly catalog: Catalog
  readonly connection: string | undefined
  readonly table: string | undefined
}): ReactNode {
  const [text, setText] = useState('')
  const found = useMemo(() => {
    const part = text.toLowerCase()
    return Object.entries(catalog.connections).map(([name, { type, tables }]) => ({
      name,
      type,
      all: Object.keys(tables).length,
      tables: Object.keys(tables).filter((each) => `${name}.${each}`.toLowerCase().includes(part)),
    }))
  }, [catalog, text])
  const list = useRef<HTMLElement>(null)
  // The chosen table is in view, also when an address or a foreign key led to it.
  useEffect(() => {
    if (list.current !== null && table !== undefined) showChosen(list.current)
  }, [table])
  return (
    <nav ref={list} className={css['tree']} aria-label="Tables">
      <SearchInput label="Search tables" keyHint="/" value={text} onValue={setText} />
      {found.map((each) => (
        <div key={each.name} className={css['connection']}>
          <h2 className={css['connectionName']}>
            <Database aria-hidden />
            <bdi>{shortText(each.name)}</bdi>
            <span className={css['kind']}>{each.type}</span>
          </h2>
          <ul>
            {each.tables.slice(0, mostListed).map((name) => (
              <li key={name}>
                <Link
                  href={`${place}/${encodeURIComponent(each.name)}/${encodeURIComponent(name)}`}
                  className={css['link']}
                  aria-current={each.name === connection && name === table ? 'page' : undefined}
                  title={shortText(name)}
                >
                  <bdi>{shortText(name, 120)}</bdi>
                </Link>
              </li>
            ))}
          </ul>
          {each.tables.length > mostListed && (
            <p className={css['more']}>
              {(each.tables.length - mostListed).toLocaleString()} more: search for them
            </p>
          )}
          {each.tables.length === 0 && (
            <p className={css['more']}>
              {catalog.unreached.includes(each.name)
                ? 'Never reached'
                : each.all === 0
                  ? 'No tables'
                  : 'No match'}
            </p>
          )}
        </div>
      ))}
    </nav>
  )
}

/** Scrolls the list alone: on a phone the page stays where it is. */
function showChosen(list: HTMLElement): void {
  const chosen = list.querySelector<HTMLElement>('[aria-current]')
  if (chosen === null) return
  const { offsetTop, offsetHeight } = chosen
  const isBelow = offsetTop + offsetHeight > list.scrollTop + list.clientHeight
  if (isBelow || offsetTop < list.scrollTop) list.scrollTop = offsetTop - list.clientHeight / 2
}
