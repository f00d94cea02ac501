/**
 * @module Loaded into a node first: SIGUSR2 moves its clock by CHAOS_SKEW_MS, or back. Timers are not changed, as when
 * the clock of a machine is set.
 */
const skewMs = Number(process.env['CHAOS_SKEW_MS'] ?? 0)
const RealDate = Date
let movedMs = 0

process.on('SIGUSR2', () => {
  movedMs = movedMs === 0 ? skewMs : 0
})

const now = () => RealDate.now() + movedMs

globalThis.Date = new Proxy(RealDate, {
  construct: (target, values, newTarget) =>
    Reflect.construct(target, values.length === 0 ? [now()] : values, newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
})
