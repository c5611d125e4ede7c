import { basename } from 'node:path'
import { SERVICE_ID } from '../../protocol/identifiers.js'
import { CliError } from '../shared/errors/cli-error.js'
import { SIGN_INS, STORAGES, type SignIn, type StorageName } from './choices.js'

export const TEMPLATES = ['minimal', 'travel'] as const

/** Answers that a scaffold is made from. */
export interface Answers {
  readonly name: string
  readonly template: string
  readonly storage: StorageName
  readonly signIn: SignIn
  /** True to add tests and a test runner. */
  readonly tests: boolean
  /** True to serve agents over MCP. */
  readonly mcp: boolean
}

export interface InitOptions {
  readonly yes: boolean
  readonly name?: string
  readonly template?: string
  readonly storage?: string
  readonly signIn?: string
  readonly tests?: boolean
  readonly mcp?: boolean
  readonly svcKit?: string
  readonly deploy?: string
}

/** The service id that a folder's name suggests. */
export function nameFrom(folder: string): string {
  const name = basename(folder)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, '-')
    .replaceAll(/^-+|-+$/gu, '')
  return wrongName(name) === undefined ? name : 'service'
}

/** Returns why a name cannot be a service's; undefined for a valid name. */
export function wrongName(name: string): string | undefined {
  if (DEPENDENCIES.includes(name))
    return 'The service depends on a package of this name; choose another, such as my-shop.'
  return SERVICE_ID.test(name) && !name.includes('..') && name.length <= LONGEST
    ? undefined
    : `Use lower-case letters, digits and . _ - inside, up to ${LONGEST} characters, such as flight-booking.`
}

/** A package cannot depend on one of its own name. */
const DEPENDENCIES = ['svc-kit', 'pg', 'typescript']

/** Scopes begin with the name, and end in up to 28 characters more. */
const LONGEST = 100

/** Refuses what cannot be, before anybody is asked anything. */
export function refuseWrongOptions({ name, template, storage, signIn }: InitOptions): void {
  const wrong = name === undefined ? undefined : wrongName(name)
  if (wrong !== undefined) throw new CliError(`${JSON.stringify(name)} cannot be the name of a service. ${wrong}`)
  refuseUnknown('storage', storage, STORAGES)
  refuseUnknown('sign-in', signIn, SIGN_INS)
  if (template !== undefined && !isOneOf(TEMPLATES, template) && !isFolderName(template))
    throw new CliError(
      `There is no template ${JSON.stringify(template)}; there are ${TEMPLATES.join(' and ')}, or give a folder, ` +
        'such as ./my-template.',
    )
}

function refuseUnknown(choice: string, word: string | undefined, words: object): void {
  if (word === undefined || Object.hasOwn(words, word)) return
  throw new CliError(`There is no ${choice} ${JSON.stringify(word)}; there are ${Object.keys(words).join(' and ')}.`)
}

const isOneOf = (words: readonly string[], word: string): boolean => words.includes(word)

/** A template of one's own is named as a path, so that a misspelt name is never taken for a folder. */
const isFolderName = (template: string): boolean => /[/\\]/u.test(template)

/** The answers, from options and defaults. The options were looked at before. */
export function answersFrom(folder: string, options: InitOptions): Answers {
  const {
    name = nameFrom(folder),
    template = 'minimal',
    storage = 'sqlite',
    signIn = 'api-keys',
    tests = true,
    mcp = false,
  } = options
  return { name, template, storage: storage as StorageName, signIn: signIn as SignIn, tests, mcp }
}

/** Prompts need a person at a terminal. */
export const mayAsk = ({ yes }: InitOptions): boolean =>
  !yes && process.stdin.isTTY === true && process.stdout.isTTY === true && !process.env['CI']
