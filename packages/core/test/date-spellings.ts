/** @module Spellings of dates and times: combinations of parts, and random ones from a fixed seed. */

const dates = [
  ...['2026-01-05', '2026-1-5', '2026/01/05', '2026.01.05', '01/05/2026', '1/5/26', '1-5-26'],
  ...['01-05-2026', '1.5.2026', '13/01/2026', '01/13/2026', '26-01-05', '0026-01-05', '12/31/69'],
  ...['12/31/70', '1/1/0', '1/1/00', '1/1/100', '20260105', '260105', '99991231', '2026-02-29'],
  ...['2024-02-29', '2024-02-30', '2026-13-01', '2026-00-10', '2026-01-00', '2026-01-32'],
  ...['Jan 5, 2026', 'January 5 2026', '5 Jan 2026', '5-Jan-2026', '5-jan-26', 'Jan-5-2026'],
  ...['2026-Jan-05', '2026 Jan 5', '05Jan2026', 'Jan5 2026', 'Sept 5, 26', 'Jan 5', '5 Jan 05'],
  ...['Mon Jan 05 2026', 'Monday, January 5, 2026', 'Tues 5 Jan 2026', 'Mon 2026-01-05'],
  ...['2026-005', '2026.005', '2026005', '2026 005', '2026-366', '2024-366', '2026-000'],
  ...['J2451187', 'julian 2451187', 'jd2451187', 'J 0', 'J2451187.5', 'J-1', 'J2451187-08'],
  ...['44-03-15 BC', '0044-03-15 BC', 'March 15, 44 BC', '1-1-1 bc', '4714-11-24 BC'],
  ...['4714-11-23 BC', '2026-01-05 AD', 'AD 2026-01-05', 'BC 0044-03-15', '0000-01-01'],
  ...['5874897-12-31', '5874898-01-01', '294276-12-31', '294277-01-01', '99999999-01-01'],
  ...['epoch', 'infinity', '-infinity', '+infinity', '- infinity', 'Infinity', 'EPOCH', 'inf'],
  ...['y2026m01d05', 'y 2026 m 1 d 5', 'on Jan 5 2026', '', ' ', 'abc', 'nonsense', '2026'],
  ...['1/5', '1', '12', '123', '1234', '12345', '123456', '1234567', '12345678901234567890'],
  ...['2026-01', '2026-01-', '-2026-01-05', '2026--01-05', '2026-01-05-', '2026-01/05', '1.5'],
  ...[
    '(2026-01-05)',
    '2026-01-05,',
    '"2026-01-05"',
    '2026\t01\n05',
    '２０２６-01-05',
    '2026-01-05é',
  ],
]

const times = [
  ...['', '10:30', '10:30:15', '10:30:15.25', '10:30:15.1234567', '10:30:15.', '10:30.5', '1:2:3'],
  ...[
    '103015',
    '1030',
    '103015.25',
    '10',
    '10:',
    ':30',
    '10::15',
    '24:00',
    '24:00:00.1',
    '23:59:60',
  ],
  ...['23:59:61', '25:00', '10:60', '10:30 AM', '10:30pm', '12:30 am', '12:30PM', '13:30 pm'],
  ...['0:30 PM', '10 am', '10:30:15 p.m.', 'allballs', 'at 10:30', 'T10:30', 't103015', 'T1030'],
  ...['T 10:30', 'h 10 mm 30 s 15.5', '10h', '10:30:15:20', '00:00:00.0000005', '99999999999:00'],
  ...['256199', '240000', '235960', '10:30:-5'],
]

const zones = [
  ...['', 'Z', 'z', ' z', ' UTC', ' GMT', ' zulu', '+01', '-01', '+0130', '+01:30', '-08:00:15'],
  ...[' +5', ' - 5', '+15:59:59', '+16', '+1:60', '+100', '+123456', '+01:', '+-1', ' EST', ' EDT'],
  ...[' PST8PDT', ' GMT+1', 'GMT+0100', ' GMT-0500', ' UTC+3', ' est dst', ' EDT dst', ' dst'],
  ...[
    ' America/New_York',
    ' europe/berlin',
    ' Asia/Kolkata',
    ' Mars/Olympus',
    ' foo',
    ' Etc/GMT+5',
  ],
  ...[' GMT+0100 (Central European Standard Time)', ' CET', ' CEST', ' jst', ' EDT', ' ab+1'],
]

const shapes: readonly ((date: string, time: string, zone: string) => string)[] = [
  (date, time, zone) => `${date} ${time}${zone}`,
  (date, time, zone) => `${date}T${time}${zone}`,
  (date, time, zone) => `${time}${zone} ${date}`,
  (date, time, zone) => `${date}${zone} ${time}`,
  (date, time) => `${date}, ${time}`,
  (date, time, zone) => `  ${date}   ${time}  ${zone} `,
]

const fragments = [
  ...['2026', '05', '1', '13', '31', '32', '366', '0', '-', '/', '.', ':', ' ', ',', '+', 'T', 'Z'],
  ...['Jan', 'feb', 'Mon', 'am', 'pm', 'bc', 'ad', 'j', 'y', 'm', 'd', 'h', 's', 'mm', 'at', 'on'],
  ...['UTC', 'est', 'dst', '10:30', '10:30:15.5', '-08', '20260105', '103015', '(', 'doy', 'utc+2'],
]

/** About 5 000 different texts, the same ones each time. */
export function dateSpellings(): readonly string[] {
  const all = new Set<string>()
  for (const date of dates)
    for (const time of ['', ...times.slice(0, 4)]) all.add(`${date} ${time}`)
  for (const time of times) for (const zone of zones) all.add(`${time}${zone}`)
  for (const zone of zones) all.add(`2026-07-05 10:30${zone}`)
  const next = randomNumbers(20_260_105)
  const one = (list: readonly string[]) => list[next(list.length)] ?? ''
  for (let i = 0; i < 2_000; i += 1) {
    const shape = shapes[next(shapes.length)]
    if (shape !== undefined) all.add(shape(one(dates), one(times), one(zones)))
  }
  for (let i = 0; i < 2_000; i += 1) {
    all.add(
      Array.from({ length: 2 + next(7) }, () => one(fragments)).join(next(2) === 0 ? '' : ' '),
    )
  }
  return [...all]
}

function randomNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
