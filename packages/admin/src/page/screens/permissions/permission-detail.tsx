import { type ReactNode, useMemo } from 'react'
import { Link } from 'wouter'
import { useConfig, useMatrix } from '../../api/queries.ts'
import { Badge, Tags } from '../../components/badge.tsx'
import { CodeBlock } from '../../components/code.tsx'
import { Card, Facts, Page } from '../../components/page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/states.tsx'
import { shortText } from '../../components/visible-text.ts'
import { usePathParts } from '../../shell/address.ts'
import { sentenceOf } from './access.ts'
import { tryLink } from './cell-drawer.tsx'
import type { PermissionMatrix } from './matrix-types.ts'
import css from './permission-detail.module.css'

/** One rule: as sentences, and as it is written. */
export default function PermissionDetail(): ReactNode {
  const [, name = ''] = usePathParts()
  const { data: matrix, error } = useMatrix()
  const { data: config } = useConfig()
  const written = useMemo(() => ruleOf(config, name), [config, name])
  const granted = useMemo(() => grantsOf(matrix, name), [matrix, name])
  const [first] = granted
  const roles = [...new Set(granted.map(({ entry }) => entry.role))]
  return (
    <Page
      title={<bdi>{shortText(name)}</bdi>}
      lead={
        <Link href="/permissions" className={css['back']}>
          Permissions
        </Link>
      }
      actions={<Badge tone="blue">Defined in code</Badge>}
    >
      {error !== null ? (
        <ErrorState error={error} />
      ) : matrix === undefined ? (
        <Skeleton lines={8} />
      ) : first === undefined ? (
        <EmptyState title="This rule grants nothing">
          There is no rule of this name, or it only restricts what other rules grant.
        </EmptyState>
      ) : (
        <>
          <Card title="In words">
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
              ]}
            />
          </Card>
          <Card title="Try it">
            <p className={css['try']}>
              Explain what a caller with one of these roles reads, and change the subject there:
            </p>
            <div className={css['links']}>
              {roles.map((role) => (
                <Link key={role} href={tryLink(first.entry.table, role)} className={css['chip']}>
                  <bdi>{shortText(role, 40)}</bdi>
                </Link>
              ))}
            </div>
          </Card>
        </>
      )}
      {written !== undefined && (
        <Card title="As written">
          <CodeBlock label="rule" language="json" text={JSON.stringify(written, null, 2)} isTall />
        </Card>
      )}
    </Page>
  )
}

function grantsOf(matrix: PermissionMatrix | undefined, name: string) {
  return (matrix?.entries ?? []).flatMap((entry) =>
    entry.grants.filter(({ permission }) => permission === name).map((grant) => ({ entry, grant })),
  )
}

/** `permissions` is a list of rules with names, or an object by name. */
function ruleOf(config: Readonly<Record<string, unknown>> | undefined, name: string): unknown {
  const rules = config?.['permissions']
  if (typeof rules !== 'object' || rules === null) return undefined
  const named = (rule: unknown, key: string) =>
    (rule as { readonly name?: unknown } | null)?.name ?? key
  return Object.entries(rules).find(([key, rule]) => named(rule, key) === name)?.[1]
}
