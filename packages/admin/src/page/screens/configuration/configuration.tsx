import { type ReactNode, useState } from 'react'
import { useConfig } from '../../api/queries.ts'
import { useSource } from '../../api/stored.ts'
import { CodeBlock } from '../../components/code.tsx'
import { Page } from '../../components/page.tsx'
import { ErrorState, Skeleton } from '../../components/states.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { visibleText } from '../../components/visible-text.ts'
import { SourceBadge } from '../stored/source-badge.tsx'
import { Differences } from './differences.tsx'

/** The id is not the name of any option. */
const differences = { id: '$differences', label: 'Differs from code', content: <Differences /> }

/** As written, without its secrets. */
export default function Configuration(): ReactNode {
  const { data, error, refetch } = useConfig()
  const source = useSource()
  const [tab, setTab] = useState('')
  const sections = Object.entries(data ?? {})
  const [first] = sections
  return (
    <Page
      title="Configuration"
      lead="As this node uses it. Secrets and passwords are left out."
      actions={<SourceBadge />}
    >
      {error !== null && data === undefined ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : first === undefined ? (
        <Skeleton lines={12} />
      ) : (
        <Tabs
          value={tab === '' ? first[0] : tab}
          onValue={setTab}
          tabs={[
            ...(source === undefined || source === 'code' ? [] : [differences]),
            ...sections.map(([name, value]) => ({
              id: name,
              label: visibleText(name),
              content: (
                <CodeBlock
                  label={visibleText(name)}
                  language="json"
                  text={JSON.stringify(value, null, 2) ?? 'null'}
                  isTall
                />
              ),
            })),
          ]}
        />
      )}
    </Page>
  )
}
