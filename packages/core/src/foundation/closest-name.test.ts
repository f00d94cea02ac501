import { expect, test } from 'vitest'
import { closestName } from './closest-name.ts'

test.each<[name: string, known: readonly string[], meant: string | undefined]>([
  ['ordrs', ['customers', 'orders'], 'orders'],
  ['invoiceid', ['invoiceids', 'InvoiceId'], 'InvoiceId'],
  ['id', ['ID'], 'ID'],
  ['id', ['od', 'ID'], 'ID'],
  ['id', ['number'], undefined],
  ['ab', ['abcdefgh'], undefined],
  ['orderx', ['odexx', 'orders', 'ordery'], 'orders'],
  ['prot', ['port', 'host'], 'port'],
  ['x', [], undefined],
])('%s among %j is %s', (name, known, meant) => {
  expect(closestName(name, known)).toBe(meant)
})
