/** @module Clients that send or read slowly, and clients that disconnect during a request. */
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '@engine/fixtures'
import type { Timeline } from '../judge/timeline.ts'
import { someMember } from './member.ts'
import type { Service, Worker } from './service.ts'

export async function createSlowClients(
  service: Service,
  random: Random,
  timeline: Timeline,
): Promise<Worker> {
  const member = await someMember(service)
  const body = JSON.stringify({
    sql: 'select id, n from sqlite.counters order by id limit 1',
    params: [],
    method: 'all',
  })
  const head = [
    'POST /data HTTP/1.1',
    'Host: chaos.test',
    'Connection: close',
    'Content-Type: application/json',
    `Authorization: Bearer ${member.token}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  const pieces = `${head.join('\r\n')}\r\n\r\n${body}`.match(/.{1,150}/gs) ?? []

  return {
    name: 'slow clients',
    step: async () => {
      const node = random.pick(service.nodes)
      const startMs = performance.now()
      const leaves = random.chance(40)
      const sent = pieces.slice(0, leaves ? random.integer(1, pieces.length) : pieces.length)
      const answer = await trickle(Number(new URL(node.url).port), sent, leaves)
      if (leaves || /^HTTP\/1\.1 200 .*"rows":/s.test(answer)) return
      const endMs = performance.now()
      const needs = ['service', 'sqlite', node.name] as const
      if (timeline.explains(needs, startMs, endMs)) return
      service.findings.add('wrong answer', `a slow client was answered ${answer.slice(0, 300)}`)
    },
  }
}

/** @returns the answer; undefined when the connection failed. */
async function trickle(port: number, pieces: readonly string[], leaves: boolean): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8')
  let answer = ''
  socket.on('data', (text: string) => {
    answer += text
  })
  // A failed connection has no answer: the judge decides about it.
  socket.on('error', () => undefined)
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => resolve())
  })
  await send(socket, pieces)
  if (leaves) socket.destroy()
  const timeout = setTimeout(() => socket.destroy(), 15_000)
  await closed
  clearTimeout(timeout)
  return answer
}

async function send(socket: Socket, pieces: readonly string[]): Promise<void> {
  for (const piece of pieces) {
    if (socket.destroyed) return
    socket.write(piece)
    await sleep(150)
  }
}
