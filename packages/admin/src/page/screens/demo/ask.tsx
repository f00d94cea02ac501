/** @module The statement of the tour, run for an account of the demo by the request of "Query". */
import type { DemoAccount, StatementAnswer } from '@engine/contract/admin-api'
import { Play } from 'lucide-react'
import type { ReactNode } from 'react'
import { ApiError, request } from '../../api/http.ts'
import { useSubmit } from '../../api/use-submit.ts'
import { Status } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Code } from '../../components/code.tsx'
import { ErrorState } from '../../components/states.tsx'
import { Value } from '../../components/value.tsx'
import { rowsText } from '../query/use-run.ts'
import css from './tour.module.css'
import { tour } from './tour-state.ts'

export function Ask({ account }: { readonly account: DemoAccount }): ReactNode {
  const { run, isPending, data, error } = useSubmit<StatementAnswer>({
    send: (_, signal) => askAs(account, signal),
  })
  return (
    <>
      <pre className={css['sql']}>
        <code>
          <Code text={tour.sql} language="sql" />
        </code>
      </pre>
      <Button
        look="primary"
        size="small"
        icon={<Play aria-hidden />}
        isBusy={isPending}
        onClick={() => run()}
      >
        Run as {account.email}
      </Button>
      <div aria-live="polite" className={css['outcome']}>
        {error !== null && (
          <ErrorState
            title={error.status === 0 ? 'No answer' : `Refused with ${error.status}`}
            error={error}
          />
        )}
        {data !== undefined && <Rows answer={data} />}
      </div>
    </>
  )
}

/** @throws {ApiError} 404 where the account was removed; otherwise as `POST /query`. */
async function askAs({ email }: DemoAccount, signal: AbortSignal): Promise<StatementAnswer> {
  const { callers } = await request('GET /callers', { signal, query: { search: email } })
  const caller = callers.find((each) => each.kind === 'account' && each.email === email)
  if (caller === undefined) {
    throw new ApiError(404, { error: 'NOT_FOUND', message: `There is no account ${email}.` })
  }
  return request('POST /query', { signal, body: { sql: tour.sql, params: [], as: caller.as } })
}

function Rows({ answer }: { readonly answer: StatementAnswer }): ReactNode {
  const { columns = [], rows = [] } = answer.body
  return (
    <>
      <Status tone="green">Answered with 200, {rowsText(answer.rowCount)}</Status>
      <table className={css['rows']}>
        <thead>
          <tr>
            {columns.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of an answer that does not change
            <tr key={index}>
              {columns.map(({ name }, at) => (
                <td key={name}>
                  <Value name={name} value={row[at]} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
