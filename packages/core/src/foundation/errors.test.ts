import { errorStatuses } from '@engine/contract'
import { expect, test } from 'vitest'
import { problemTable } from './errors.ts'

test('every code of the contract is that of a problem, with each of its statuses', () => {
  const answers = Object.values(problemTable).map(({ code, status }) => `${status} ${code}`)
  const known = Object.entries(errorStatuses).flatMap(([code, statuses]) =>
    statuses.map((status) => `${status} ${code}`),
  )
  expect([...new Set(answers)].toSorted()).toEqual(known.toSorted())
})
