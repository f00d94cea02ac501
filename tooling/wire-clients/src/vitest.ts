/** @module The checks of clients as tests. */
import { beforeAll, describe, expect, test } from 'vitest'
import { wireClients } from './clients.ts'
import { applies, type CheckResult, type WireClient } from './wire-check.ts'
import type { WireSurroundings, WireTarget } from './wire-target.ts'

/**
 * Every check of every client as a test of its own.
 *
 * @param kind of the target: determines which checks apply
 * @param open the target, once `beforeAll` of the file has run
 */
export function describeClients(kind: WireSurroundings, open: () => WireTarget): void {
  for (const [index, client] of wireClients.entries()) {
    describeClient(client.name, client.name, () =>
      testClient(client, kind, () => client.run(open(), (index + 1) * 1_000_000)),
    )
  }
}

/**
 * A `describe` for tests that need one client, by its name. Without it they are skipped, with the reason in the name; where
 * `CI` is `true` that is a failure.
 */
export function describeClient(clientName: string, name: string, tests: () => void): void {
  const client = wireClients.find((one) => one.name === clientName)
  const reason = client === undefined ? `no client ${clientName}` : client.missing()
  if (reason === undefined) describe(name, tests)
  else if (process.env['CI'] === 'true') test(name, () => expect.unreachable(reason))
  else describe.skipIf(true)(`${name} (skipped: ${reason})`, tests)
}

function testClient(
  client: WireClient,
  kind: WireSurroundings,
  run: () => Promise<readonly CheckResult[]>,
): void {
  const expected = client.checks.filter((one) => applies(one, kind))
  let results: ReadonlyMap<string, CheckResult>

  beforeAll(async () => {
    results = new Map((await run()).map((result) => [result.name, result]))
  }, 120_000)

  for (const { name } of expected) {
    test(name, () => {
      const result = results.get(name)
      expect(result, 'it was not run').toBeDefined()
      expect(result?.ok, result?.detail).toBe(true)
    })
  }

  test(`${client.name} checks nothing else`, () => {
    const names = new Set(expected.map(({ name }) => name))
    expect([...results.keys()].filter((name) => !names.has(name))).toEqual([])
  })
}
