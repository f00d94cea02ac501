import { type ReactNode, useMemo, useState } from 'react'
import { Link } from 'wouter'
import type { Revised } from '../../api/http.ts'
import { useMatrix } from '../../api/queries.ts'
import { useStored } from '../../api/stored.ts'
import { Tags } from '../../components/badge.tsx'
import { Card, Facts, Page } from '../../components/page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/states.tsx'
import { shortText } from '../../components/visible-text.ts'
import { usePathParts, useSearchText } from '../../shell/address.ts'
import { SourceBadge } from '../stored/source-badge.tsx'
import { sentenceOf } from './access.ts'
import { tryLink } from './cell-drawer.tsx'
import { PermissionEditor } from './editor/permission-editor.tsx'
import { newRule, type Rule } from './editor/rule.ts'
import type { PermissionMatrix } from './matrix-types.ts'
import css from './permission-detail.module.css'

type Rules = Readonly<Record<string, Rule>>

/** One rule: as sentences, and in the editor. */
export default function PermissionDetail(): ReactNode {
  const [place, name = ''] = usePathParts()
  const search = useSearchText()
  return place === 'new-permission' ? (
    <NewPermission key={search} search={search} />
  ) : (
    <Existing key={name} name={name} />
  )
}

function NewPermission({ search }: { readonly search: string }): ReactNode {
  const query = new URLSearchParams(search)
  const rule = newRule(query.get('table') ?? '', query.getAll('role'))
  return (
    <RulePage title="New rule">
      {(rules) => ({ name: undefined, rule, taken: Object.keys(rules) })}
    </RulePage>
  )
}

function Existing({ name }: { readonly name: string }): ReactNode {
  return (
    <RulePage title={<bdi>{shortText(name)}</bdi>} before={<InWords name={name} />}>
      {(rules) =>
        Object.hasOwn(rules, name) ? { name, rule: rules[name] as Rule, taken: [] } : undefined
      }
    </RulePage>
  )
}

/** The editor of a rule as it was when the page was opened: later revisions show when it is saved. */
function RulePage({
  title,
  before,
  children: find,
}: {
  readonly title: ReactNode
  readonly before?: ReactNode
  readonly children: (
    rules: Rules,
  ) =>
    | { readonly name: string | undefined; readonly rule: Rule; readonly taken: readonly string[] }
    | undefined
}): ReactNode {
  const { data, error, refetch } = useStored<Rules>('permissions')
  const [opened, setOpened] = useState<{
    readonly count: number
    readonly rules: Revised<Rules | null>
  }>()
  // The draft keeps the revision that it began with, while the newest one is read again.
  const current = opened ?? (data === undefined ? undefined : { count: 0, rules: data })
  if (opened === undefined && current !== undefined) setOpened(current)
  const takeOver = async () => {
    const { data: newest } = await refetch()
    if (newest !== undefined) setOpened((now) => ({ count: (now?.count ?? 0) + 1, rules: newest }))
  }
  const found = current && find(current.rules.value ?? {})
  return (
    <Page
      title={title}
      lead={
        <Link href="/permissions" className={css['back']}>
          Permissions
        </Link>
      }
      actions={<SourceBadge />}
    >
      {error !== null && current === undefined ? (
        <ErrorState error={error} />
      ) : current === undefined ? (
        <Skeleton lines={8} />
      ) : found === undefined ? (
        <EmptyState title="There is no such rule">
          It may have been removed or renamed meanwhile.
        </EmptyState>
      ) : (
        <>
          {before}
          <PermissionEditor
            key={current.count}
            {...found}
            revision={current.rules.revision}
            onTakeOver={() => void takeOver()}
          />
        </>
      )}
    </Page>
  )
}

function InWords({ name }: { readonly name: string }): ReactNode {
  const { data: matrix } = useMatrix()
  const granted = useMemo(() => grantsOf(matrix, name), [matrix, name])
  const [first] = granted
  const roles = [...new Set(granted.map(({ entry }) => entry.role))]
  if (first === undefined) return null
  return (
    <Card title="In words, as it is in use">
      <Facts
        facts={[
          [
            'Table',
            <Link
              key="table"
              className={css['link']}
              href={`/permissions?search=${encodeURIComponent(first.entry.table)}`}
            >
              <bdi>{shortText(first.entry.table)}</bdi>
            </Link>,
          ],
          ['Roles', <Tags key="roles" names={roles} limit={12} />],
          ...granted
            .filter(({ entry }) => entry.role === first.entry.role)
            .map(
              ({ entry, grant }) =>
                [entry.operation, shortText(sentenceOf(entry, grant), 2_000)] as const,
            ),
          [
            'Explain as',
            <span key="try" className={css['links']}>
              {roles.map((role) => (
                <Link key={role} href={tryLink(first.entry.table, role)} className={css['chip']}>
                  <bdi>{shortText(role, 40)}</bdi>
                </Link>
              ))}
            </span>,
          ],
        ]}
      />
    </Card>
  )
}

function grantsOf(matrix: PermissionMatrix | undefined, name: string) {
  return (matrix?.entries ?? []).flatMap((entry) =>
    entry.grants.filter(({ permission }) => permission === name).map((grant) => ({ entry, grant })),
  )
}
