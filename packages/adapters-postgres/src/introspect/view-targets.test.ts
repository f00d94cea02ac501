// cspell:ignore resno resname ressortgroupref resorigtbl resorigcol resjunk rtable varno
import { expect, test } from 'vitest'
import { viewTargets } from './view-targets.ts'

const entry = (number: number, name: string, origin: number, column: number, value: string) =>
  `{TARGETENTRY :expr ${value} :resno ${number} :resname ${name} :ressortgroupref 0 :resorigtbl ${origin} :resorigcol ${column} :resjunk false}`
const query = (...targets: readonly string[]) =>
  `{QUERY :commandType 1 :rtable ({RTE :alias <>}) :targetList (${targets.join(' ')}) :groupClause <>}`

test('targets of subqueries are not those of the view', () => {
  const inner = query(entry(1, 'other', 99, 7, '{VAR :varno 1}'))
  const view = query(
    entry(1, 'id', 16385, 1, '{VAR :varno 1}'),
    entry(2, 'n', 0, 0, `{SUBLINK :subselect ${inner}}`),
    entry(3, 'odd\\ \\{name\\}', 16385, 2, '{VAR :varno 1}'),
  )
  expect(viewTargets(`(${view})`)).toEqual([
    { number: 1, origin: '16385', originNumber: 1 },
    { number: 3, origin: '16385', originNumber: 2 },
  ])
})
