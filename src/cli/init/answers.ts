import { basename } from 'node:path'
import { SERVICE_ID } from '../../protocol/identifiers.js'
import { CliError } from '../cli-error.js'

export const TEMPLATES = ['minimal', 'travel'] as const
export const STORAGES = ['sqlite'] as const

/** What a scaffold is made from. */
export interface Answers {
  readonly name: string
  readonly template: string
  readonly storage: string
}

export interface InitOptions {
  readonly yes: boolean
  readonly name?: string
  readonly template?: string
  readonly storage?: string
  readonly svcKit?: string
}

/** The service id that a folder's name suggests. */
export function nameFrom(folder: string): string {
  const name = basename(folder)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, '-')
    .replaceAll(/^-+|-+$/gu, '')
  return SERVICE_ID.test(name) ? name : 'service'
}

/** Why a name cannot be a service's; undefined when it can. */
export const wrongName = (name: string): string | undefined =>
  SERVICE_ID.test(name) && !name.includes('..')
    ? undefined
    : 'Use lower-case letters, digits and . _ - inside, up to 128 characters, such as flight-booking.'

/** The answers, from options and defaults. */
export function answersFrom(folder: string, options: InitOptions): Answers {
  const { name = nameFrom(folder), template = 'minimal', storage = 'sqlite' } = options
  const wrong = wrongName(name)
  if (wrong !== undefined) throw new CliError(`${JSON.stringify(name)} cannot be the name of a service. ${wrong}`)
  return { name, template, storage }
}

/** Prompts need a person at a terminal. */
export const mayAsk = ({ yes }: InitOptions): boolean =>
  !yes && process.stdin.isTTY === true && process.stdout.isTTY === true && !process.env['CI']
