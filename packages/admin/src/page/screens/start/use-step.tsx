/** @module A key for the role, and a first query of a program. */
import type { AdminApi } from '@engine/contract/admin-api'
import { ArrowRight, KeyRound, ScrollText, ShieldCheck, Users } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { base, request } from '../../api/http.ts'
import { useStatus } from '../../api/queries.ts'
import { useSubmit } from '../../api/use-submit.ts'
import { Button } from '../../components/button.tsx'
import { CodeBlock } from '../../components/code.tsx'
import { Card, Facts } from '../../components/page.tsx'
import { ErrorState, Skeleton } from '../../components/states.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { shortText } from '../../components/visible-text.ts'
import { tableParts } from '../permissions/editor/rule.ts'
import { fieldsOf } from './fields.ts'
import { clientSnippet, curlSnippet, drizzleSnippet, firstStatement } from './snippets.ts'
import css from './start.module.css'
import { valuesIn } from './try-step.tsx'
import { rolesOn, rulesFor, useRules, useStart, useTables } from './use-start.ts'

/** How long the key of the first run lasts. */
const keyDays = 30

export function UseStep(): ReactNode {
  const { query } = useStart()
  const [, go] = useLocation()
  const { connection, tables, error } = useTables(query.get('connection'))
  const { rules: stored } = useRules()
  if (error !== null && tables === undefined) return <ErrorState error={error} />
  if (tables === undefined || stored === undefined) return <Skeleton lines={8} height={36} />
  const roles = rolesOn(stored, connection)
  const wanted = query.get('role')
  const role = wanted !== null && roles.includes(wanted) ? wanted : (roles[0] ?? '')
  const rules = rulesFor(stored, connection, role)
  const [first] = Object.values(rules)
  const table = query.get('table') ?? (first === undefined ? '' : tableParts(first.table).table)
  const fields = valuesIn(fieldsOf(rules, tables), query)
  const sql = firstStatement(connection, table, rules)
  return (
    <>
      <div className={css['work']}>
        <NewKey role={role} fields={fields}>
          {(key) => <Snippets sql={sql} token={key} />}
        </NewKey>
      </div>
      <Card title="What comes next" isFlush>
        <ul className={css['next']}>
          <Next
            icon={<ShieldCheck aria-hidden />}
            href="/permissions"
            title="Refine the rules"
            text="Columns, checks of writes and conditions of every kind, with a preview."
          />
          <Next
            icon={<Users aria-hidden />}
            href="/users"
            title="Add people"
            text="Accounts with roles. Applications sign them in at /auth."
          />
          <Next
            icon={<ScrollText aria-hidden />}
            href="/audit"
            title="See who does what"
            text="Each statement and each refusal, with the way to its reason."
          />
        </ul>
      </Card>
      <div className={css['actions']}>
        <Button look="primary" icon={<ArrowRight aria-hidden />} onClick={() => go('/')}>
          To the overview
        </Button>
      </div>
    </>
  )
}

function NewKey({
  role,
  fields,
  children: withKey,
}: {
  readonly role: string
  readonly fields: Readonly<Record<string, string | number>>
  readonly children: (key: string | undefined) => ReactNode
}): ReactNode {
  const create = useSubmit<AdminApi['POST /api-keys']>({
    changes: ['api-keys'],
    send: (_, signal) =>
      request('POST /api-keys', {
        signal,
        body: {
          name: `first run: ${role}`,
          roles: role === '' ? [] : [role],
          fields,
          expiresAt: new Date(Date.now() + keyDays * 86_400_000).toISOString(),
        },
      }),
  })
  const key = create.data?.apiKey.key
  return (
    <>
      <Card title="A key for the role">
        <div className={css['form']}>
          <Facts
            facts={[
              ['Role', <bdi key="role">{shortText(role, 80)}</bdi>],
              ...Object.entries(fields).map(
                ([name, value]) =>
                  [`$user.${shortText(name, 40)}`, shortText(String(value), 80)] as const,
              ),
              ['Lasts', `${keyDays} days; can be revoked at once`],
            ]}
          />
          {create.error !== null && <ErrorState title="No key was created" error={create.error} />}
          {key === undefined ? (
            <div>
              <Button
                icon={<KeyRound aria-hidden />}
                isBusy={create.isPending}
                disabled={role === '' || role === 'anonymous'}
                onClick={() => create.run()}
              >
                Create key
              </Button>
              <p className={css['aside']}>
                {role === 'anonymous'
                  ? 'Anonymous callers send no key.'
                  : 'For a program or a try; people sign in at /auth for tokens of their own.'}
              </p>
            </div>
          ) : (
            <>
              <CodeBlock label="key" text={key} />
              <p className={css['aside']}>It is shown this once, and stored as a digest.</p>
            </>
          )}
        </div>
      </Card>
      {withKey(role === 'anonymous' ? '' : key)}
    </>
  )
}

function Snippets({
  sql,
  token,
}: {
  readonly sql: string
  /** undefined: not made yet; empty: none is needed. */
  readonly token: string | undefined
}): ReactNode {
  const [tab, setTab] = useState('curl')
  const { data: status } = useStatus()
  const url = `${location.origin}${base.replace(/\/admin$/, '')}`
  const asked = { url, sql, token: token ?? '<key>' }
  return (
    <Card title="A first query">
      <Tabs
        value={tab}
        onValue={setTab}
        tabs={[
          {
            id: 'curl',
            label: 'curl',
            content: <CodeBlock label="curl line" text={curlSnippet(asked)} />,
          },
          {
            id: 'client',
            label: 'TypeScript',
            content: <CodeBlock label="program" text={clientSnippet(asked)} />,
          },
          {
            id: 'drizzle',
            label: 'Drizzle',
            content: <CodeBlock label="Drizzle program" text={drizzleSnippet(asked)} />,
          },
        ]}
      />
      {token === undefined && (
        <p className={css['aside']}>Create the key, and it is in these lines.</p>
      )}
      {status?.pgWire != null && (
        <p className={css['aside']}>psql and BI tools connect with the same key as the password.</p>
      )}
    </Card>
  )
}

function Next({
  icon,
  href,
  title,
  text,
}: {
  readonly icon: ReactNode
  readonly href: string
  readonly title: string
  readonly text: string
}): ReactNode {
  return (
    <li>
      <Link href={href} className={css['nextLink']}>
        {icon}
        <span>
          <span className={css['nextTitle']}>{title}</span>
          <span className={css['nextText']}>{text}</span>
        </span>
      </Link>
    </li>
  )
}
