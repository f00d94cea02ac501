/** @module The tokens of design/tokens.css: type, colours with their contrast, measures, motion. */
import { type ReactNode, useState } from 'react'
import { Badge } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { Card } from '../components/page.tsx'
import {
  contrast,
  leastReadable,
  leastVisible,
  type Pair,
  readable,
  visible,
} from '../design/contrast.ts'
import css from './gallery.module.css'

/** The value of a token in the theme that is shown. */
function token(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim()
}

const sizes = ['type-1', 'type-2', 'type-3', 'type-4', 'type-5', 'type-6', 'code-1']

export function TypeScale(): ReactNode {
  return (
    <Card title="Type scale">
      <dl className={css['scale']}>
        {sizes.map((name) => (
          <div key={name}>
            <dt className={css['tokenName']}>
              {name} <span>{token(name).replace(/ ["A-Z].*| var.*/, '')}</span>
            </dt>
            <dd style={{ font: `var(--${name})` }}>Rows that a caller may see: 1,204 of 90,311</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

const roles: readonly (readonly [string, readonly string[]])[] = [
  ['Grounds', ['canvas', 'surface', 'sunken', 'hover', 'selected']],
  ['Text', ['text', 'text-2', 'text-3']],
  ['Edges', ['border', 'border-strong', 'control-border', 'focus']],
  ['Actions', ['accent', 'accent-hover', 'on-accent', 'solid', 'solid-hover', 'on-solid']],
  ['Meaning', ['green', 'amber', 'red', 'red-hover', 'blue', 'violet']],
  ['Soft', ['green-soft', 'amber-soft', 'red-soft', 'blue-soft', 'violet-soft', 'grey-soft']],
  ['Code', ['code-keyword', 'code-string', 'code-number', 'code-name', 'code-comment']],
]

export function Colours(): ReactNode {
  return (
    <Card title="Colour roles">
      <div className={css['roles']}>
        {roles.map(([label, names]) => (
          <section key={label}>
            <h3 className={css['label']}>{label}</h3>
            <ul className={css['swatches']}>
              {names.map((name) => (
                <li key={name} className={css['swatch']}>
                  <span className={css['colour']} style={{ background: `var(--${name})` }} />
                  <span className={css['tokenName']}>
                    {name} <span>{token(name)}</span>
                  </span>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Card>
  )
}

/** Every pair that the pages use; design/contrast.test.ts refuses a weak one. */
export function Contrast(): ReactNode {
  return (
    <Card title="Contrast of the pairs in use">
      <Pairs label={`Text: at least ${leastReadable}`} pairs={readable} least={leastReadable} />
      <Pairs label={`Edges: at least ${leastVisible}`} pairs={visible} least={leastVisible} />
    </Card>
  )
}

function Pairs({
  label,
  pairs,
  least,
}: {
  readonly label: string
  readonly pairs: readonly Pair[]
  readonly least: number
}): ReactNode {
  return (
    <section>
      <h3 className={css['label']}>{label}</h3>
      <ul className={css['pairs']}>
        {pairs.map(([front, ground]) => {
          const ratio = contrast(token(front), token(ground))
          return (
            <li
              key={`${front} ${ground}`}
              className={css['pairing']}
              style={
                least === leastReadable
                  ? { background: `var(--${ground})`, color: `var(--${front})` }
                  : { background: `var(--${ground})`, boxShadow: `inset 0 0 0 2px var(--${front})` }
              }
            >
              {front} on {ground}
              <span className="numbers" data-weak={ratio < least || undefined}>
                {ratio.toFixed(1)}
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

const spaces = ['space-1', 'space-2', 'space-3', 'space-4', 'space-5', 'space-6', 'space-7']
const radii = ['radius-1', 'radius-2', 'radius-3']
const shadows = ['shadow-1', 'shadow-2', 'shadow-3']

export function Measures(): ReactNode {
  return (
    <Card title="Spacing, radii, elevation">
      <ul className={css['spaces']}>
        {spaces.map((name) => (
          <li key={name}>
            <span className={css['bar']} style={{ width: `var(--${name})` }} />
            <span className={css['tokenName']}>
              {name} <span>{token(name)}</span>
            </span>
          </li>
        ))}
      </ul>
      <ul className={css['boxes']}>
        {radii.map((name) => (
          <li key={name} className={css['box']} style={{ borderRadius: `var(--${name})` }}>
            {name} · {token(name)}
          </li>
        ))}
        {shadows.map((name) => (
          <li key={name} className={css['box']} style={{ boxShadow: `var(--${name})` }}>
            {name}
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** With reduced motion, both are 0 ms. */
export function Motion(): ReactNode {
  const [isMoved, setMoved] = useState(false)
  return (
    <Card
      title="Motion"
      actions={
        <Button size="small" onClick={() => setMoved(!isMoved)}>
          Play
        </Button>
      }
    >
      <ul className={css['motions']}>
        {['quick', 'calm'].map((name) => (
          <li key={name}>
            <span className={css['tokenName']}>
              {name} <Badge>{token(name)}</Badge>
            </span>
            <span className={css['track']}>
              <span
                className={css['ball']}
                data-moved={isMoved || undefined}
                style={{ transition: `transform var(--${name})` }}
              />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
