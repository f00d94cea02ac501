import type { ConnectionTestAnswer } from '@engine/contract/admin-api'
import { CircleAlert, CircleCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { Badge } from '../../components/badge.tsx'
import { Facts } from '../../components/page.tsx'
import { shortText } from '../../components/visible-text.ts'
import css from './connections.module.css'

/** What a live test found; null is not known. */
export function TestResult({ test }: { readonly test: ConnectionTestAnswer }): ReactNode {
  const { isUp, error, durationMs } = test
  return (
    <section className={css['result']} role="status" aria-label="Test" data-up={isUp}>
      <p className={css['verdict']}>
        {isUp ? <CircleCheck aria-hidden /> : <CircleAlert aria-hidden />}
        <strong>{isUp ? 'Connected' : 'Not connected'}</strong>
        <span className={css['took']}>{durationMs.toLocaleString()} ms</span>
      </p>
      {error !== null && (
        <>
          <p>{shortText(error.hint, 500)}</p>
          <p className={css['message']}>
            <Badge tone="red">{error.code}</Badge> {shortText(error.message, 1_000)}
          </p>
        </>
      )}
      {isUp && (
        <Facts
          facts={[
            [
              'Database',
              `${test.kind}${test.version === null ? '' : ` ${shortText(test.version, 120)}`}`,
            ],
            ['Tables', test.tables === null ? 'not known' : String(test.tables)],
            ['User', userOf(test)],
            ['May read', flag(test.canRead)],
            ['May write', flag(test.canWrite)],
            ['Encrypted', flag(test.isEncrypted)],
          ]}
        />
      )}
    </section>
  )
}

function userOf({ user, isSuperuser }: ConnectionTestAnswer): ReactNode {
  if (user === null) return 'not known'
  return (
    <>
      <bdi>{shortText(user, 80)}</bdi>{' '}
      {isSuperuser === true && <Badge tone="amber">superuser: more than Engine needs</Badge>}
    </>
  )
}

function flag(value: boolean | null): string {
  if (value === null) return 'not known'
  return value ? 'yes' : 'no'
}
