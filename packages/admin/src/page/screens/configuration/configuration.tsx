import { type ReactNode, useState } from 'react'
import { useConfig } from '../../api/queries.ts'
import { Badge } from '../../components/badge.tsx'
import { CodeBlock } from '../../components/code.tsx'
import { Page } from '../../components/page.tsx'
import { ErrorState, Skeleton } from '../../components/states.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { visibleText } from '../../components/visible-text.ts'

/** As written, without its secrets. */
export default function Configuration(): ReactNode {
  const { data, error, refetch } = useConfig()
  const [tab, setTab] = useState('')
  const sections = Object.entries(data ?? {})
  const [first] = sections
  return (
    <Page
      title="Configuration"
      lead="As this node was started with it. Secrets and passwords are left out."
      actions={<Badge tone="blue">Defined in code</Badge>}
    >
      {error !== null ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : first === undefined ? (
        <Skeleton lines={12} />
      ) : (
        <Tabs
          value={tab === '' ? first[0] : tab}
          onValue={setTab}
          tabs={sections.map(([name, value]) => ({
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
          }))}
        />
      )}
    </Page>
  )
}
