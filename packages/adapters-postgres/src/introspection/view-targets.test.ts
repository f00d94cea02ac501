// cspell:ignore fromexpr fromlist rangetblref rtindex opexpr opno quals jointree
// cspell:ignore resno resname ressortgroupref resorigtbl resorigcol resjunk rtable varno
import { expect, test } from 'vitest'
import { hasNoCondition, viewTargets } from './view-targets.ts'

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

test('a condition of a subquery is none of the view', () => {
  const from = (condition: string) =>
    `:jointree {FROMEXPR :fromlist ({RANGETBLREF :rtindex 1}) :quals ${condition}}`
  const inner = `{QUERY ${from('{OPEXPR :opno 96}')}}`
  const withInner = `:rtable ({RTE :subquery ${inner}})`
  expect(hasNoCondition(`({QUERY ${withInner} ${from('<>')}})`)).toBe(true)
  expect(hasNoCondition(`({QUERY ${withInner} ${from('{OPEXPR :opno 96}')}})`)).toBe(false)
  expect(hasNoCondition(`({QUERY ${withInner}})`)).toBe(false)
})
