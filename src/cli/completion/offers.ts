import type { Argument, Command, Option } from 'commander'
import type { Offer } from './offer.js'
import { offersOfPlaceholder } from './names.js'

/** Returns the completions of the last word, given those before it. Without any, the shell offers files. */
export async function offersFor(program: Command, words: readonly string[]): Promise<readonly Offer[]> {
  const typed = words.at(-1) ?? ''
  const { command, isNamed, option, argument } = placeOf(program, words.slice(0, -1))
  const offers =
    option !== undefined
      ? await valuesOf(option)
      : typed.startsWith('-')
        ? optionsOf(command)
        : [...(isNamed ? [] : subcommandsOf(command)), ...(argument === undefined ? [] : await valuesOf(argument))]
  return offers.filter(({ word }) => word.startsWith(typed))
}

interface Place {
  readonly command: Command
  /** True if a word was already passed to the command, so that no subcommand can follow. */
  readonly isNamed: boolean
  /** The option that waits for its value. */
  readonly option: Option | undefined
  /** The argument that comes next. */
  readonly argument: Argument | undefined
}

/** Finds the command that the words lead to. */
function placeOf(program: Command, words: readonly string[]): Place {
  let [command, given]: [Command, number] = [program, 0]
  let option: Option | undefined
  for (const word of words) {
    const before: Option | undefined = option
    option = undefined
    if (before !== undefined) continue
    const inner: Command | undefined = given === 0 ? commandNamed(command, word) : undefined
    if (word.startsWith('-')) option = waiting(command, word)
    else if (inner !== undefined) command = inner
    else given += 1
  }
  const wanted = command.registeredArguments
  const last = wanted.at(-1)
  return {
    command,
    isNamed: given > 0,
    option,
    argument: wanted[given] ?? (last?.variadic === true ? last : undefined),
  }
}

const commandNamed = ({ commands }: Command, word: string): Command | undefined =>
  commands.find((each) => each.name() === word || each.aliases().includes(word))

/** The option that a word names, if its value is the next word. */
const waiting = ({ options }: Command, word: string): Option | undefined =>
  options.find((each) => each.required && (each.long === word || each.short === word))

const subcommandsOf = ({ commands }: Command): readonly Offer[] =>
  commands.map((each) => ({ word: each.name(), about: each.summary() || each.description() }))

const optionsOf = ({ options }: Command): readonly Offer[] => [
  ...options.flatMap(({ long, description }) => (typeof long === 'string' ? [{ word: long, about: description }] : [])),
  { word: '--help', about: 'display help' },
]

/** The words of a closed choice; else the names of what the placeholder names. */
async function valuesOf(part: Argument | Option): Promise<readonly Offer[]> {
  if (part.argChoices !== undefined) return part.argChoices.map((word) => ({ word, about: '' }))
  return offersOfPlaceholder(placeholderOf(part))
}

/** `--capability <name>` names capabilities, as `<capability>` does. */
function placeholderOf(part: Argument | Option): string {
  if (!('flags' in part)) return part.name()
  const [, placeholder = ''] = /[<[](\w+)/u.exec(part.flags) ?? []
  return placeholder === 'name' ? (part.long ?? '').slice(2) : placeholder
}
