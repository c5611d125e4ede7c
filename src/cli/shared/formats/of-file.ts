import { posix } from 'node:path'
import { CliError } from '../errors/cli-error.js'

/** Writes a value into a file wherever it is asked for: exactly, by an escape that holds at any place, or not at all. */
export type WriteValue = (value: string) => string

interface FileFormat {
  readonly name: string
  readonly files: RegExp
  /** Characters that are themselves at any place, in and out of quotes; of a format without escapes, whole values. */
  readonly plain: RegExp
  readonly escape?: (character: string) => string
}

const hexOf = (code: number, digits: number): string => code.toString(16).padStart(digits, '0')

const unitsOf = (character: string): string =>
  Array.from({ length: character.length }, (_, unit) => `\\u${hexOf(character.charCodeAt(unit), 4)}`).join('')

const pythonEscape = (character: string): string =>
  character.length === 1 ? unitsOf(character) : `\\U${hexOf(character.codePointAt(0)!, 8)}`

const characterReference = (character: string): string => `&#x${hexOf(character.codePointAt(0)!, 1)};`

const CODE = /^[\p{L}\p{N} _.,:/@+=~-]$/u
const WORD = /^[\p{L}\p{N}_./@+][\p{L}\p{N}_./@+:-]*$/u
const WORDS = /^[\p{L}\p{N}_./](?:[\p{L}\p{N}_./@+: -]*[\p{L}\p{N}_./@+-])?$/u

/** The first that fits the name of a file (threat N27). */
const FORMATS: readonly FileFormat[] = [
  { name: 'JSON', files: /\.(?:json[cl5]?|webmanifest)$/iu, plain: /^[^"'\\*\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]$/u, escape: unitsOf },
  { name: 'TypeScript', files: /\.[cm]?[jt]sx?$/iu, plain: CODE, escape: unitsOf },
  { name: 'Python', files: /\.pyi?$/iu, plain: CODE, escape: pythonEscape },
  { name: 'HTML', files: /\.(?:x?html?|xml|svg)$/iu, plain: /^[\p{L}\p{N}_.,:@+~-]$/u, escape: characterReference },
  { name: '.env', files: /^\.env(?:\..+)?$/iu, plain: WORD },
  { name: 'a shell', files: /\.(?:sh|bash|zsh|ksh)$/iu, plain: WORD },
  { name: 'Docker', files: /^(?:Docker|Container)file(?:\..+)?$/iu, plain: WORD },
  { name: 'YAML', files: /\.ya?ml$/iu, plain: /^(?!.*: )[\p{L}\p{N}_./](?:[\p{L}\p{N}_./@+: -]*[\p{L}\p{N}_./@+-])?$/u },
  { name: 'text', files: /^/u, plain: WORDS },
] // prettier-ignore

/** The writer of values in a file, by the name of the file. */
export function writerOfFile(path: string): WriteValue {
  const { name, plain, escape } = FORMATS.find(({ files }) => files.test(posix.basename(path)))!
  if (escape !== undefined)
    return (value) => Array.from(value, (each) => (plain.test(each) ? each : escape(each))).join('')
  return (value) => {
    if (value === '' || plain.test(value)) return value
    throw new CliError(
      `${path} cannot hold ${JSON.stringify(value)}: a value in a file of ${name} begins with a letter or a ` +
        'digit, and has letters, digits and . _ / @ + : - inside.',
    )
  }
}
