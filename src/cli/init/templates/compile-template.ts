import Handlebars from 'handlebars'
import { CliError } from '../../shared/errors/cli-error.js'
import type { ParsedTemplate } from './check-template.js'
import { TEXT_HELPERS } from './text-helpers.js'

/** Reads a template; one that is no Handlebars is refused. */
export function parsedTemplate(file: string, text: string): ParsedTemplate {
  try {
    return { file, program: Handlebars.parse(text) }
  } catch (error) {
    const [why = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
    throw new CliError(`${file}: The template does not read as Handlebars: ${why.replace(/:$/u, '')}.`)
  }
}

/** JavaScript of a template that was checked: an expression, as `Handlebars.template` takes its value. */
export const codeOfTemplate = ({ program }: ParsedTemplate): string =>
  String(Handlebars.precompile(program, { strict: true, knownHelpersOnly: true, knownHelpers: KNOWN_HELPERS }))

const KNOWN_HELPERS = Object.fromEntries(Object.keys(TEXT_HELPERS).map((name) => [name, true] as const))
