/** @module An explanation as a tree: stages, tables, rules, and what the database would get. */
import type { StatementExplanation } from '@engine/contract/admin-api'
import { Check, Minus, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Badge } from '../../components/badge.tsx'
import { classes } from '../../components/classes.ts'
import { CodeBlock } from '../../components/code.tsx'
import { Card, Facts } from '../../components/page.tsx'
import { shortText } from '../../components/visible-text.ts'
import css from './verdict.module.css'

type Table = StatementExplanation['tables'][number]
type Rule = Table['permissions'][number]

/** What the administrator's route adds to an explanation. */
interface Explained {
  readonly subject?: {
    readonly kind: string
    readonly id?: string
    readonly roles: readonly string[]
    /** Claims of a token are not known: fields and roles can be missing. */
    readonly mayLackClaims: boolean
  }
}

const stages = [
  ['parse', 'Parse', 'PostgreSQL’s grammar, one statement'],
  ['bind', 'Bind', 'names and types'],
  ['limits', 'Limits', 'size and depth'],
  ['authorize', 'Authorize', 'permissions'],
  ['compile', 'Compile', 'the database’s own SQL'],
  ['values', 'Values', 'parameters by type'],
] as const

export function Verdict({
  explanation,
}: {
  readonly explanation: StatementExplanation & Pick<Explained, 'subject'>
}): ReactNode {
  const { answer, subject, caller, connection, tables, statements, limits } = explanation
  return (
    <>
      <Card>
        <div className={css['answer']}>
          {answer.outcome === 'runs' ? (
            <>
              <Badge tone="green">runs</Badge>
              <span>
                {answer.isWrite ? 'It would write' : 'It would read'}
                {connection !== undefined &&
                  ` on ${shortText(connection.name)} (${connection.kind})`}
                , and answer {answer.columns.length}{' '}
                {answer.columns.length === 1 ? 'column' : 'columns'}.
              </span>
            </>
          ) : (
            <>
              <Badge tone="red">refused</Badge>
              <span>
                <strong>
                  {answer.status} {answer.error}
                </strong>{' '}
                {shortText(answer.message, 1_000)}
              </span>
            </>
          )}
        </div>
        {subject !== undefined && <Asker subject={subject} />}
        <ol className={css['stages']} aria-label="Stages">
          {stages.map(([id, label, detail]) => (
            <Stage key={id} id={id} label={label} detail={detail} answer={answer} />
          ))}
        </ol>
        {answer.outcome === 'refused' && answer.publicMessage !== answer.message && (
          <p className={css['public']}>
            In production clients read: “{shortText(answer.publicMessage, 500)}”
          </p>
        )}
      </Card>
      <CallerPart caller={caller} />
      {tables.map((table) => (
        <TablePart key={`${table.reference} ${table.operation}`} table={table} />
      ))}
      {statements.map((statement, index) => (
        <Card
          // biome-ignore lint/suspicious/noArrayIndexKey: steps have no other key
          key={index}
          title={`Sent to the database${statements.length > 1 ? `, step ${index + 1}` : ''}`}
          actions={<Badge>{statement.yields}</Badge>}
        >
          <div className={css['stack']}>
            <CodeBlock label="statement" language="sql" text={statement.sql} />
            {statement.parameters.length > 0 && (
              <Facts
                facts={statement.parameters.map((parameter) => [
                  `${parameter.index}. ${parameter.type}`,
                  <span key={parameter.index} className="mono">
                    {shortText(parameter.source)}
                    {parameter.value !== undefined &&
                      ` = ${shortText(JSON.stringify(parameter.value))}`}
                  </span>,
                ])}
              />
            )}
          </div>
        </Card>
      ))}
      <Card title="Limits">
        <Facts
          facts={[
            ['Rows', `at most ${limits.permissionLimit ?? limits.maxRows}`],
            ['Time', `${limits.queryTimeoutMs / 1_000} s`],
            ['Relation depth', measured(limits.relationDepth)],
            ['Filter conditions', measured(limits.filterConditions)],
          ]}
        />
      </Card>
    </>
  )
}

function measured({
  allowed,
  measured: own,
}: {
  readonly allowed: number
  readonly measured: number | undefined
}): string {
  return own === undefined ? `at most ${allowed}` : `${own} of ${allowed}`
}

function Stage({
  id,
  label,
  detail,
  answer,
}: {
  readonly id: string
  readonly label: string
  readonly detail: string
  readonly answer: StatementExplanation['answer']
}): ReactNode {
  const order = stages.findIndex(([each]) => each === id)
  const stop =
    answer.outcome === 'runs' ? stages.length : stages.findIndex(([each]) => each === answer.stage)
  const state = order < stop ? 'passed' : order === stop ? 'stopped' : 'not reached'
  return (
    <li className={classes(css['stage'], css[state.replace(' ', '-')])} title={detail}>
      {state === 'passed' ? (
        <Check aria-hidden />
      ) : state === 'stopped' ? (
        <X aria-hidden />
      ) : (
        <Minus aria-hidden />
      )}
      {label}
      <span className="visually-hidden">{state}</span>
    </li>
  )
}

function CallerPart({ caller }: Pick<StatementExplanation, 'caller'>): ReactNode {
  if (caller.fields.length === 0 && !caller.hasFullRights) return null
  return (
    <Card title="Caller">
      {caller.hasFullRights ? (
        <p>Permissions do not apply: this caller has full rights.</p>
      ) : (
        <Facts
          facts={caller.fields.map(({ field, type, state, value }) => [
            field,
            <span key={field}>
              {state === 'present' ? (
                <span className="mono">{shortText(JSON.stringify(value ?? null))}</span>
              ) : (
                <Badge tone="amber">{state}</Badge>
              )}{' '}
              <span className="faint">{type}</span>
              {state !== 'present' && ' — conditions on it hold for no row'}
            </span>,
          ])}
        />
      )}
    </Card>
  )
}

function TablePart({ table }: { readonly table: Table }): ReactNode {
  const { operation, isAdmitted, reason, permissions, virtualTable, write } = table
  return (
    <Card
      title={
        <span className={css['tableTitle']}>
          <bdi>{shortText(table.table)}</bdi>
          <Badge>{operation}</Badge>
        </span>
      }
      actions={
        <Badge tone={isAdmitted ? 'green' : 'red'}>{isAdmitted ? 'admitted' : 'refused'}</Badge>
      }
    >
      <div className={css['stack']}>
        {reason !== undefined && <p className={css['reason']}>{shortText(reason, 1_000)}</p>}
        <ul className={css['rules']}>
          {permissions.map((rule) => (
            <RulePart key={rule.name} rule={rule} />
          ))}
          {permissions.length === 0 && (
            <li className={css['rule']}>
              <Minus aria-hidden />
              <span className="faint">No rule names this table.</span>
            </li>
          )}
        </ul>
        {virtualTable !== undefined && (
          <Facts
            facts={[
              ['Rows', <Condition key="rows" text={virtualTable.rows} />],
              ['Columns', <Names key="columns" names={virtualTable.columns} />],
              ...(virtualTable.hidden.length === 0
                ? []
                : [['Hidden', <Names key="hidden" names={virtualTable.hidden} />] as const]),
              ...virtualTable.masked.map(
                ({ column, visibleWhen }) =>
                  [
                    `${column} is masked`,
                    <span key={column}>
                      NULL unless <Condition text={visibleWhen} />
                    </span>,
                  ] as const,
              ),
              ...(virtualTable.barrier?.isSet === true
                ? [['Barrier', shortText(virtualTable.barrier.reason, 500)] as const]
                : []),
            ]}
          />
        )}
        {write !== undefined && (
          <Facts
            facts={[
              ['Writes', <Names key="writes" names={write.columns} />],
              ['Rows', <Condition key="rows" text={write.rows} />],
              ['Check', <Condition key="check" text={write.check} />],
              ...Object.entries(write.presets).map(
                ([column, value]) =>
                  [`Sets ${column}`, <Condition key={column} text={value} />] as const,
              ),
            ]}
          />
        )}
      </div>
    </Card>
  )
}

function RulePart({ rule }: { readonly rule: Rule }): ReactNode {
  const { name, verdict, reason, block, roles } = rule
  return (
    <li className={classes(css['rule'], css[verdict])}>
      {verdict === 'grants' ? (
        <Check aria-label="grants" role="img" />
      ) : verdict === 'refuses' ? (
        <X aria-label="refuses" role="img" />
      ) : (
        <Minus aria-label="for other roles" role="img" />
      )}
      <div className={css['ruleText']}>
        <Link href={`/permissions/${encodeURIComponent(name)}`} className={css['ruleName']}>
          <bdi>{shortText(name)}</bdi>
        </Link>
        <span className="faint">
          {verdict === 'otherRoles'
            ? `for ${shortText(roles.join(', '))}`
            : shortText(reason ?? '', 500)}
        </span>
        {block?.where !== undefined && <Condition text={block.where} />}
      </div>
    </li>
  )
}

function Condition({ text }: { readonly text: string }): ReactNode {
  const meaning = { true: 'every row', false: 'no row', unknown: 'no row (unknown)' }[text]
  if (meaning !== undefined) return <span>{meaning}</span>
  return <code className={css['condition']}>{shortText(text, 2_000)}</code>
}

function Names({ names }: { readonly names: readonly string[] }): ReactNode {
  return <span className="mono">{names.map((name) => shortText(name, 100)).join(', ') || '—'}</span>
}

/** The caller that was found, and whether the explanation can be wrong about it. */
function Asker({ subject }: { readonly subject: NonNullable<Explained['subject']> }): ReactNode {
  const { kind, id, roles, mayLackClaims } = subject
  const who = kind === 'user' && id !== undefined && id !== '' ? `user ${id}` : kind
  return (
    <p className={css['asker']}>
      As <bdi>{shortText(who, 120)}</bdi>
      {kind !== 'admin' && (
        <>, {roles.length === 0 ? 'without roles' : `with ${shortText(roles.join(', '), 200)}`}</>
      )}
      .
      {mayLackClaims && (
        <>
          {' '}
          <strong>
            A token of theirs can have claims that are not recorded: fields and rights can be
            missing here. Choose “Token or API key” to know.
          </strong>
        </>
      )}
    </p>
  )
}
