import { PassThrough } from 'node:stream'
import { expect, test, vi } from 'vitest'
import { hasKeys, type KeyInput, readKeys } from './demo-keys.ts'

function pressing(reset: () => Promise<void> = async () => undefined) {
  const input = new PassThrough()
  const modes: boolean[] = []
  const keys = Object.assign(input, {
    isTTY: true,
    setRawMode: (isRaw: boolean) => void modes.push(isRaw),
    unref: () => input,
  }) as unknown as KeyInput
  const written: string[] = []
  const opened: string[] = []
  const done: string[] = []
  let link: string | undefined = 'http://127.0.0.1:3001/admin?tour=1#sign-in=x'
  let hasBrowser = true
  readKeys(
    keys,
    { write: (text: string | Uint8Array) => written.push(String(text)) > 0 },
    {
      createLink: () => link,
      reset: async () => {
        await reset()
        done.push('reset')
      },
      quit: () => void done.push('quit'),
    },
    async (address) => {
      if (!hasBrowser) throw new Error('spawn xdg-open ENOENT')
      opened.push(address)
    },
  )
  return {
    press: (text: string) => void input.write(text),
    modes,
    written,
    opened,
    done,
    without: (what: 'pages' | 'browser') => {
      if (what === 'pages') link = undefined
      else hasBrowser = false
    },
  }
}

test('o opens the pages, and prints the address where there is no browser', async () => {
  const { press, opened, written, without, modes } = pressing()
  expect(modes).toEqual([true])
  press('o')
  await vi.waitFor(() => expect(opened).toHaveLength(1))
  without('browser')
  press('O')
  await vi.waitFor(() => expect(written.join('')).toContain('/admin?tour=1#sign-in=x'))
  without('pages')
  press('o')
  await vi.waitFor(() => expect(written.join('')).toContain('not built'))
})

test('r resets once at a time, and says what keeps it from that', async () => {
  let fail: (error: Error) => void = () => undefined
  const { press, written, done } = pressing(() => new Promise((_, reject) => (fail = reject)))
  press('rr')
  await vi.waitFor(() => expect(fail).not.toBe(undefined))
  await new Promise((resolve) => setImmediate(resolve))
  fail(new Error('the audit cannot be written'))
  await vi.waitFor(() =>
    expect(written).toEqual(['  The demo is not reset: the audit cannot be written\n']),
  )
  expect(done).toEqual([])
})

test('q and Ctrl-C quit, other keys do nothing', async () => {
  const { press, done } = pressing()
  press('xq\u0003')
  await vi.waitFor(() => expect(done).toEqual(['quit', 'quit']))
})

test('without a terminal on both sides there are no keys', () => {
  const terminal = { isTTY: true, setRawMode: () => undefined } as unknown as KeyInput
  const screen = { isTTY: true, write: () => true }
  expect(hasKeys(terminal, screen)).toBe(true)
  expect(hasKeys({ ...terminal, isTTY: false } as KeyInput, screen)).toBe(false)
  expect(hasKeys(terminal, { write: () => true })).toBe(false)
})
