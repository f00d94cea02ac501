import { expect, test } from 'vitest'
import type { BadInputCase } from './bad-input/index.ts'
import { canaryBody, runBadInput } from './run-bad-input.ts'
import type { CorpusAnswer } from './run-corpus.ts'

const refusal = {
  status: 400,
  body: { error: 'BAD_REQUEST', message: 'no', correlation_id: 'c' },
}
const canary = { status: 200, body: { rows: [['12', '5', '300', '78']] } }

function bad(name: string, allowed: readonly number[] = [400]): BadInputCase {
  return { group: 'test', name, body: name, allowed }
}

async function post(
  answers: Readonly<Record<string, CorpusAnswer>>,
  cases: readonly BadInputCase[],
) {
  return runBadInput(
    { post: async (body) => (body === canaryBody ? canary : (answers[String(body)] ?? refusal)) },
    cases,
  )
}

test('refusals in the error shape are fine', async () => {
  expect(await post({}, [bad('a'), bad('b', [200, 400])])).toEqual([])
})

test('a status that is not allowed is found', async () => {
  const findings = await post({ a: { status: 500, body: refusal.body } }, [bad('a')])
  expect(findings).toEqual([
    { id: 'test: a', problem: expect.stringContaining('status 500, allowed are 400') },
  ])
})

test('a refusal without the error shape is found', async () => {
  const findings = await post({ a: { status: 400, body: 'Bad Request' } }, [bad('a')])
  expect(findings).toEqual([
    { id: 'test: a', problem: expect.stringContaining('without an error body') },
  ])
})

test('a body after which the data differ is found', async () => {
  let count = 0
  const findings = await runBadInput(
    {
      post: async (body) => {
        if (body !== canaryBody) return refusal
        count += 1
        return { status: 200, body: { rows: [[count]] } }
      },
    },
    [bad('a')],
  )
  expect(findings).toMatchObject([
    { id: 'test: a', problem: expect.stringContaining('afterwards') },
  ])
})
