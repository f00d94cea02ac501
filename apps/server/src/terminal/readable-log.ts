/**
 * @module Entries of the log as lines for people.
 *
 *   {"level":40,"time":1795446026787,"connection":"main","msg":"database cannot be reached: …"}
 *   15:00:26 warning database cannot be reached: … connection=main
 */
import { stripVTControlCharacters } from 'node:util'
import type { DestinationStream } from 'pino'
import type { Paint, Style, TextOutput } from './terminal.ts'

/** Fields of every entry that are shown in another way, or not at all. */
const ownFields: ReadonlySet<string> = new Set(['level', 'time', 'pid', 'hostname', 'msg', 'err'])

const levels: Readonly<Record<number, readonly [string, Style]>> = {
  20: ['debug', 'dim'],
  30: ['info', 'green'],
  40: ['warning', 'yellow'],
  50: ['error', 'red'],
}

/** The most lines of a stack. */
const mostFrames = 8

/** Takes lines of JSON as pino writes them; writes lines for people. */
export function readableLog(output: TextOutput, paint: Paint): DestinationStream {
  return {
    write: (line) => void output.write(readableEntry(line, paint)),
  }
}

/** @param line JSON. Another text is written as it is. */
export function readableEntry(line: string, paint: Paint): string {
  const entry = parse(line)
  if (entry === undefined) return `${harmless(line)}\n`
  const { level, time, msg, err } = entry
  const [name, style] = levels[Number(level)] ?? ['log', 'dim']
  const message = harmless(String(msg ?? ''))
  const facts = Object.entries(entry)
    .filter(([key, value]) => !ownFields.has(key) && !message.includes(String(value)))
    .map(([key, value]) => paint('dim', harmless(`${key}=${textOf(value)}`)))
  const causes = messagesOf(err).filter((cause) => !message.includes(cause))
  const head = [paint('dim', clock(time)), paint(style, name), [message, ...causes].join(': ')]
  const stack = Number(level) >= 50 ? framesOf(err).map((frame) => paint('dim', frame)) : []
  return `${[[...head, ...facts].join(' '), ...stack].join('\n')}\n`
}

function parse(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return JSON.parse(line) as Readonly<Record<string, unknown>>
  } catch {
    return undefined
  }
}

/** Texts of clients and databases may have characters that a terminal obeys. */
function harmless(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .trim()
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value)
  return /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value)
}

/** `15:00:26` of the machine's own time zone. */
function clock(time: unknown): string {
  const date = new Date(Number(time))
  const parts = [date.getHours(), date.getMinutes(), date.getSeconds()]
  return parts.map((part) => String(part).padStart(2, '0')).join(':')
}

/** As `describeError` makes it. */
interface LoggedError {
  readonly message?: unknown
  readonly stack?: unknown
  readonly cause?: unknown
}

function isError(value: unknown): value is LoggedError {
  return typeof value === 'object' && value !== null
}

/** The message of an error and of its causes, without repetitions. */
function messagesOf(err: unknown): readonly string[] {
  const messages: string[] = []
  for (let each = err; isError(each); each = each.cause) {
    const text = harmless(String(each.message ?? ''))
    if (text !== '' && !messages.some((known) => known.includes(text))) messages.push(text)
  }
  return messages
}

/** Where the innermost error was thrown. */
function framesOf(err: unknown): readonly string[] {
  if (!isError(err)) return []
  const inner = isError(err.cause) ? framesOf(err.cause) : []
  if (inner.length > 0) return inner
  const frames = String(err.stack ?? '').match(/^\s+at .*$/gm) ?? []
  return frames.slice(0, mostFrames).map((frame) => `    ${harmless(frame)}`)
}
