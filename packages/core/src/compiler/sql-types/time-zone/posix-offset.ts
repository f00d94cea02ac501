/**
 * Seconds east of Greenwich of a name that is not in the IANA database.
 *
 * @param hasSeconds false: whole minutes only, unless PostgreSQL spelled the name. In the setting TimeZone it reads other
 *   offsets as leap seconds.
 */
export function posixOffset(name: string, hasSeconds = false): number | undefined {
  const match = /^(?:<[\w+:-]*>|[A-Za-z_/.:]*)([+-]?)0*(\d{1,3})(?::(\d\d?))?(?::(\d\d?))?$/.exec(
    name,
  )
  if (match === null) return undefined
  const [, sign, ...fields] = match
  const [hours = 0, minutes = 0, seconds = 0] = fields.map((field) => Number(field ?? 0))
  if (hours > maxHours || minutes > 59 || seconds > 59) return undefined
  if (seconds !== 0 && !hasSeconds && !name.startsWith('<')) return undefined
  const west = (hours * 60 + minutes) * 60 + seconds
  return sign === '-' ? west : 0 - west
}

const maxHours = 167
