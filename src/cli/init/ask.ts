import { cancel, confirm, intro, isCancel, select, text } from '@clack/prompts'
import { CliError, EXIT } from '../shared/errors/cli-error.js'
import { answersFrom, nameFrom, wrongName, type Answers, type InitOptions, type TEMPLATES } from './answers.js'
import { SIGN_INS, STORAGES } from './choices.js'

const DESCRIBED: { readonly [template in (typeof TEMPLATES)[number]]: string } = {
  minimal: 'one capability that reads',
  travel: 'search with quotes, booking with budget and approval, refund, a composition',
}

/** Asks for what the options do not say. Without a folder, the name becomes that of a new one. */
export async function askAuthor(folder: string | undefined, options: InitOptions): Promise<Answers> {
  intro('A new service')
  const name = options.name ?? answered(await text({ message: 'Name', ...suggested(folder), validate: problemOf }))
  const template = options.template ?? (await chosen('Template', DESCRIBED))
  const storage = options.storage ?? (await chosen('Storage', STORAGES))
  const signIn = options.signIn ?? (await chosen('Sign-in', SIGN_INS))
  const tests = options.tests === false ? false : answered(await confirm({ message: 'With tests (vitest)?' }))
  const mcp = options.mcp ?? answered(await confirm({ message: 'Can agents reach it by MCP?' }))
  return answersFrom(folder ?? name, { ...options, name, template, storage, signIn, tests, mcp })
}

const problemOf = (value: string | undefined): string | undefined => wrongName(value ?? '')

const suggested = (folder: string | undefined) =>
  folder === undefined ? { placeholder: 'flight-booking' } : { initialValue: nameFrom(folder) }

const chosen = async (message: string, choices: { readonly [value: string]: string }): Promise<string> =>
  answered(
    await select({ message, options: Object.entries(choices).map(([value, hint]) => ({ value, label: value, hint })) }),
  )

function answered<Answer>(answer: Answer): Exclude<Answer, symbol> {
  if (!isCancel(answer)) return answer as Exclude<Answer, symbol>
  cancel('Nothing was written.')
  throw new CliError('Stopped.', EXIT.findings)
}
