/** @module Three cards over the pages of a demo: a refusal, the rule that is changed, the answer. */
import type { DemoAccount } from '@engine/contract/admin-api'
import { ArrowRight, ChevronDown, ChevronUp, X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { useMatrix } from '../../api/queries.ts'
import { Status } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Ask } from './ask.tsx'
import { ResetDemo } from './reset-demo.tsx'
import css from './tour.module.css'
import { type CardId, cardBeside, cardIds, isGranted, type TourState, tour } from './tour-state.ts'
import { showCard } from './tour-store.ts'

const titles: Readonly<Record<CardId, ReactNode>> = {
  ask: (
    <>
      A customer asks for <code>{tour.column}</code>
    </>
  ),
  allow: 'Allow it',
  again: 'The same request again',
}

export default function Tour({
  card,
  isTurnedTo,
  account,
}: TourState & {
  readonly card: CardId
  readonly account: DemoAccount
}): ReactNode {
  const [isFolded, setFolded] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each card that is turned to is read from its heading on
  useEffect(() => {
    if (isTurnedTo) heading.current?.focus()
  }, [card, isTurnedTo])
  const close = () => {
    showCard(undefined)
    // The focus was in the tour.
    document.getElementById('content')?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close()
  }
  return (
    <section className={css['tour']} aria-label="Tour" data-tour onKeyDown={onKeyDown}>
      <header className={css['head']}>
        <h2 ref={heading} className={css['title']} tabIndex={-1}>
          {titles[card]}
        </h2>
        <Button
          look="ghost"
          size="small"
          aria-expanded={!isFolded}
          aria-label={isFolded ? 'Unfold the tour' : 'Fold the tour'}
          icon={isFolded ? <ChevronUp aria-hidden /> : <ChevronDown aria-hidden />}
          onClick={() => setFolded(!isFolded)}
        />
        <Button
          look="ghost"
          size="small"
          aria-label="Close the tour"
          icon={<X aria-hidden />}
          onClick={close}
        />
      </header>
      <div className={css['inside']} hidden={isFolded}>
        <div className={css['body']}>
          {card === 'ask' && <AskCard account={account} />}
          {card === 'allow' && <AllowCard />}
          {card === 'again' && <AgainCard account={account} />}
        </div>
        <Steps card={card} />
      </div>
    </section>
  )
}

function Steps({ card }: { readonly card: CardId }): ReactNode {
  const before = cardBeside(card, -1)
  const after = cardBeside(card, 1)
  return (
    <footer className={css['foot']}>
      <span className={css['place']}>
        {cardIds.indexOf(card) + 1} of {cardIds.length}
      </span>
      {before !== undefined && (
        <Button size="small" onClick={() => showCard(before)}>
          Back
        </Button>
      )}
      {after !== undefined && (
        <Button size="small" onClick={() => showCard(after)}>
          Next
        </Button>
      )}
    </footer>
  )
}

function AskCard({ account }: { readonly account: DemoAccount }): ReactNode {
  return (
    <>
      <p>
        Customers read the catalogue, without what a product costs the shop. The statement runs with
        the rights of an account whose role is <code>{tour.role}</code>.
      </p>
      <Ask account={account} />
    </>
  )
}

function AllowCard(): ReactNode {
  return (
    <>
      <p>
        The rule <code>{tour.rule}</code> lists the columns of <code>{tour.table}</code>. Check{' '}
        <code>{tour.column}</code> there and save. The message that appears then has “Undo”.
      </p>
      <Link href={`/permissions/${tour.rule}`} className={css['go']}>
        Open the rule <ArrowRight aria-hidden />
      </Link>
      <Granted />
    </>
  )
}

/** Whether the rule is changed already, in this tab or elsewhere. */
function Granted(): ReactNode {
  const { data: matrix } = useMatrix({ isWatched: true })
  const isChanged = matrix !== undefined && isGranted(matrix)
  return (
    <div aria-live="polite">
      {matrix !== undefined && (
        <Status tone={isChanged ? 'green' : 'grey'}>
          {isChanged
            ? `Customers can read ${tour.column} now`
            : `Customers cannot read ${tour.column} yet`}
        </Status>
      )}
    </div>
  )
}

function AgainCard({ account }: { readonly account: DemoAccount }): ReactNode {
  return (
    <>
      <p>A saved rule holds from the next request on, without a restart.</p>
      <Ask account={account} />
      <Granted />
      <div className={css['end']}>
        <ResetDemo />
        <Link href="/start/connect" className={css['link']}>
          Your own database
        </Link>
      </div>
      <p className={css['hint']}>
        The reset sets all rows and rules back to those of the start. A database that you connect
        here is forgotten with them.
      </p>
    </>
  )
}
