/** @module Code, values, times, numbers, and what stands in place of content. */
import { type ReactNode, useState } from 'react'
import { CodeBlock, Diff } from '../components/code.tsx'
import { Card, Facts, Stat } from '../components/page.tsx'
import { ErrorState, Skeleton } from '../components/states.tsx'
import { Tabs } from '../components/tabs.tsx'
import { Time } from '../components/time.tsx'
import { Value } from '../components/value.tsx'
import css from './gallery.module.css'

export function Texts(): ReactNode {
  const [tab, setTab] = useState('sql')
  return (
    <Card title="Code, diff, tabs, numbers">
      <Tabs
        value={tab}
        onValue={setTab}
        tabs={[
          {
            id: 'sql',
            label: 'SQL',
            content: (
              <CodeBlock
                label="statement"
                language="sql"
                text={`select r1."id", count(*) as n -- visible rows\nfrom "public"."orders" as r1\nwhere r1."customer_id" = $1 and status in ('new', 'paid') limit 20`}
              />
            ),
          },
          {
            id: 'json',
            label: 'JSON',
            count: 2,
            content: (
              <CodeBlock
                label="rule"
                language="json"
                text={JSON.stringify({ table: 'main.orders', limit: 20, roles: null }, null, 2)}
              />
            ),
          },
          {
            id: 'diff',
            label: 'Diff',
            content: (
              <Diff
                lines={[
                  { kind: 'same', text: '"table": "main.orders",' },
                  { kind: 'removed', text: '"roles": ["customer"],' },
                  { kind: 'added', text: '"roles": ["customer", "support"],' },
                ]}
              />
            ),
          },
        ]}
      />
      <div className={css['stats']}>
        <Stat label="Running" value="3" detail="of 100" />
        <Stat label="Waiting" value="0" />
        <Stat label="Plans" value="1 204" detail="in the cache" />
      </div>
    </Card>
  )
}

const minute = 60_000

export function Values(): ReactNode {
  return (
    <Card title="Values and times">
      <Facts
        facts={[
          ['NULL', <Value key="null" name="value" value={null} />],
          ['Empty text', <Value key="empty" name="value" value="" />],
          ['Number', <Value key="number" name="value" value={-1234.5} />],
          ['Flag', <Value key="flag" name="value" value={true} />],
          ['Markup', <Value key="markup" name="value" value="<img src=x onerror=alert(1)>" />],
          ['Writing direction', <Value key="bidi" name="value" value={'invoice\u202efdp.exe'} />],
          ['JSON', <Value key="json" name="value" value={{ boxes: 3, tags: ['a', 'b'] }} />],
          ['Long text', <Value key="long" name="value" value={'long '.repeat(20_000)} />],
          ['Just now', <Time key="now" at={Date.now()} />],
          ['An hour ago', <Time key="hour" at={Date.now() - 60 * minute} />],
          ['Tomorrow', <Time key="tomorrow" at={Date.now() + 1_440 * minute} />],
          ['Never', <Time key="never" at={null} />],
        ]}
      />
    </Card>
  )
}

export function States(): ReactNode {
  return (
    <Card title="States">
      <ErrorState
        error={{
          message: 'The database cannot be reached.',
          code: 'SERVICE_UNAVAILABLE',
          requestId: '01JD',
        }}
        onRetry={() => undefined}
      />
      <br />
      <Skeleton lines={4} />
    </Card>
  )
}
