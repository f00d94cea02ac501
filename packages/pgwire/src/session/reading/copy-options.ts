/** @module Options of COPY: read, checked against each other as PostgreSQL does, and filled with defaults. */
import { GatewayError } from '@engine/core'
import { encodingName } from '../../encodings/encoding-names.ts'
import { encodingOf, isSupportedEncoding } from '../../encodings/encoding-of.ts'
import { fieldsOf, nodeOf, stringNodes, textOf } from '../../syntax/syntax-node.ts'
import { booleanOf } from '../settings/parse-setting.ts'
import type { CopyOptions } from '../statements/client-statement.ts'

/**
 * @param options a list of `DefElem`
 * @param positionOf `location` of a node → position in the statement
 * @throws {GatewayError} PostgreSQL's errors for them.
 */
export function copyOptions(
  options: readonly unknown[],
  isFrom: boolean,
  positionOf: (location: number) => number,
): CopyOptions {
  const said = optionsByName(options, positionOf)
  const format = copyFormat(said)
  for (const [name, option] of said) checkOption(name, option)
  checkMode(said, format, isFrom)
  const isCsv = format === 'csv'
  const quote = text(said, 'quote') ?? '"'
  const copy: CopyOptions = {
    format,
    delimiter: text(said, 'delimiter') ?? (isCsv ? ',' : '\t'),
    nullText: text(said, 'null') ?? (isCsv ? '' : '\\N'),
    header: header(said.get('header')),
    quote,
    escape: text(said, 'escape') ?? quote,
    forceQuote: columns(said, 'force_quote'),
    forceNotNull: columns(said, 'force_not_null'),
    forceNull: columns(said, 'force_null'),
    ...copyEncoding(said),
  }
  if (format !== 'binary') checkCharacters(copy)
  if (!isFrom && copy.header === 'match') {
    throw unsupportedOption('cannot use "match" with HEADER in COPY TO')
  }
  return copy
}

/** By name. */
type Options = ReadonlyMap<string, Option>

interface Option {
  /** Its value; undefined where only the name is given. */
  readonly value: unknown
  readonly position: number
}

function optionsByName(
  options: readonly unknown[],
  positionOf: (location: number) => number,
): Options {
  const said = new Map<string, Option>()
  for (const option of options) {
    const { defname, arg, location } = fieldsOf(fieldsOf(option)['DefElem'])
    const name = textOf(defname) ?? ''
    const position = positionOf(Number(location ?? 0))
    if (said.has(name)) throw wrongSyntax('conflicting or redundant options', position)
    said.set(name, { value: arg, position })
  }
  return said
}

function copyFormat(said: Options): CopyOptions['format'] {
  const format = text(said, 'format') ?? 'text'
  if (format === 'text' || format === 'csv' || format === 'binary') return format
  throw wrongValue(`COPY format "${format}" not recognized`, said.get('format')?.position)
}

function copyEncoding(said: Options): Pick<CopyOptions, 'encoding'> {
  const option = said.get('encoding')
  if (option === undefined) return {}
  const name = encodingName(scalar(option.value) ?? '')
  if (name === undefined) {
    const message = 'argument to option "encoding" must be a valid encoding name'
    throw wrongValue(message, option.position)
  }
  if (isSupportedEncoding(name)) return { encoding: { client: encodingOf(name) } }
  throw unsupportedOption(`COPY encoding "${name}" is not supported: use UTF8`)
}

const known: ReadonlySet<string> = new Set([
  'format',
  'delimiter',
  'null',
  'header',
  'quote',
  'escape',
  'force_quote',
  'force_not_null',
  'force_null',
  'encoding',
])

function checkOption(name: string, { value, position }: Option): void {
  if (known.has(name)) return
  switch (name) {
    case 'freeze':
      if (flag(name, value)) throw unsupportedOption('COPY FREEZE is not supported')
      return
    case 'log_verbosity':
      return
    case 'on_error':
      if (scalar(value)?.toLowerCase() !== 'stop') {
        throw unsupportedOption('COPY ON_ERROR is not supported')
      }
      return
    case 'default':
    case 'reject_limit':
      throw unsupportedOption(`COPY ${name.toUpperCase()} is not supported`)
    default:
      throw wrongSyntax(`option "${name}" not recognized`, position)
  }
}

/** Checks which options fit which format and direction. */
function checkMode(said: Options, format: CopyOptions['format'], isFrom: boolean): void {
  if (format === 'binary') {
    if (said.has('delimiter')) throw wrongSyntax('cannot specify DELIMITER in BINARY mode')
    if (said.has('null')) throw wrongSyntax('cannot specify NULL in BINARY mode')
    if (header(said.get('header')) !== 'none') {
      throw unsupportedOption('cannot specify HEADER in BINARY mode')
    }
  }
  for (const [name, called, direction] of csvOnly) {
    if (!said.has(name)) continue
    if (format !== 'csv') throw unsupportedOption(`COPY ${called} available only in CSV mode`)
    if (direction === 'to' && isFrom) {
      throw unsupportedOption(`COPY ${called} only available using COPY TO`)
    }
    if (direction === 'from' && !isFrom) {
      throw unsupportedOption(`COPY ${called} only available using COPY FROM`)
    }
  }
}

const csvOnly = [
  ['quote', 'quote', 'both'],
  ['escape', 'escape', 'both'],
  ['force_quote', 'force quote', 'to'],
  ['force_not_null', 'force not null', 'from'],
  ['force_null', 'force null', 'from'],
] as const

function checkCharacters(copy: CopyOptions): void {
  const { format, delimiter, nullText, quote } = copy
  if (!isOneByte(delimiter)) {
    throw unsupportedOption('COPY delimiter must be a single one-byte character')
  }
  if (/[\r\n]/.test(delimiter)) {
    throw wrongValue('COPY delimiter cannot be newline or carriage return')
  }
  if (/[\r\n]/.test(nullText)) {
    throw wrongValue('COPY null representation cannot use newline or carriage return')
  }
  if (format === 'text' && /[\\.a-z0-9]/.test(delimiter)) {
    throw wrongValue(`COPY delimiter cannot be "${delimiter}"`)
  }
  if (!isOneByte(quote)) throw unsupportedOption('COPY quote must be a single one-byte character')
  if (format === 'csv' && delimiter === quote) {
    throw wrongValue('COPY delimiter and quote must be different')
  }
  if (!isOneByte(copy.escape))
    throw unsupportedOption('COPY escape must be a single one-byte character')
  if (nullText.includes(delimiter)) {
    throw unsupportedOption('COPY delimiter must not appear in the NULL specification')
  }
  if (format === 'csv' && nullText.includes(quote)) {
    throw unsupportedOption('CSV quote character must not appear in the NULL specification')
  }
}

function isOneByte(text: string): boolean {
  return text.length === 1 && text.charCodeAt(0) < 0x80
}

function text(said: Options, name: string): string | undefined {
  if (!said.has(name)) return undefined
  const value = scalar(said.get(name)?.value)
  if (value === undefined) throw wrongSyntax(`${name} requires a parameter`)
  return value
}

/** A word, string or number. */
function scalar(option: unknown): string | undefined {
  const { kind, fields } = nodeOf(option)
  switch (kind) {
    case 'String':
      return textOf(fields['sval']) ?? ''
    case 'Integer':
      return String(fields['ival'] ?? 0)
    case 'Float':
      return textOf(fields['fval']) ?? '0'
    case 'Boolean':
      return String(fields['boolval'] === true)
    default:
      return undefined
  }
}

function flag(name: string, option: unknown): boolean {
  if (option === undefined) return true
  const value = booleanOf(scalar(option) ?? '')
  if (value === undefined) throw wrongSyntax(`${name} requires a Boolean value`)
  return value
}

function header(option: Option | undefined): CopyOptions['header'] {
  if (option === undefined) return 'none'
  if (option.value === undefined) return 'yes'
  const word = scalar(option.value)?.toLowerCase() ?? ''
  if (word === 'match') return 'match'
  const isOn = word === 'on' || word === 'true' || word === '1'
  if (isOn) return 'yes'
  if (word === 'off' || word === 'false' || word === '0') return 'none'
  throw wrongSyntax('header requires a Boolean value or "match"')
}

function columns(said: Options, name: string): '*' | readonly string[] {
  const option = said.get(name)
  if (option === undefined) return []
  const { kind, fields } = nodeOf(option.value)
  if (kind === 'A_Star') return '*'
  if (kind === 'List') return stringNodes(fields['items'])
  throw wrongValue(`argument to option "${name}" must be a list of column names`, option.position)
}

function wrongSyntax(message: string, position?: number): GatewayError {
  return new GatewayError('syntaxError', message, { sqlState: '42601', ...placed(position) })
}

function wrongValue(message: string, position?: number): GatewayError {
  return new GatewayError('invalidParameter', message, { sqlState: '22023', ...placed(position) })
}

function placed(position: number | undefined): { readonly position?: number } {
  return position === undefined ? {} : { position }
}

function unsupportedOption(message: string): GatewayError {
  return new GatewayError('unsupported', message, { sqlState: '0A000' })
}
