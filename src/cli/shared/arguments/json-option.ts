import { Option } from 'commander'

/** `--json` of a command that has `--format`. */
export const jsonOption = (): Option => new Option('--json', 'the same as --format json').conflicts('format')

export interface JsonOption {
  readonly json?: boolean
}

/** The format that was asked for, in either way. */
export const chosenFormat = <Format extends string>(
  options: JsonOption & {
    readonly format: Format
  },
): Format | 'json' => (options.json === true ? 'json' : options.format)
