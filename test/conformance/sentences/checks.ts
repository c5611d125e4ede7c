import { load } from 'js-yaml'
import type { CaseVerdict } from '../../../src/cli/conformance/run.js'
import type { JsonObject } from '../../../src/protocol/manifest.js'
import type { Collected } from './collected.js'
import type { Row } from './rows.js'
import { wrongAt } from './served.js'
import { AUTHORED, checked } from './service.js'

/** Findings of a run about a service. */
export interface Found {
  readonly collected: Collected
  /** Results of the suite, by the title of the case. */
  readonly verdicts: ReadonlyMap<string, CaseVerdict>
}

type Check = (words: string, found: Found) => string | undefined

/** The manifest as its author writes it, with things changed: `drop <path>`, or `set <path> = <json>`. */
function edited(edits: string): string {
  const root = load(AUTHORED) as JsonObject
  for (const each of edits.split(' & ')) change(root, each)
  return JSON.stringify(root)
}

function change(root: JsonObject, edit: string): void {
  const [, verb, path, json] = /^(drop|set) (\S+)(?: = (.*))?$/u.exec(edit) ?? []
  if (verb === undefined) throw new Error(`${edit} is no edit`)
  const names = path!.split('.')
  const last = names.pop()!
  const owner = names.reduce<unknown>((value, name) => (value as { [name: string]: unknown })[name], root) as { [name: string]: unknown } // prettier-ignore
  if (verb === 'drop') delete owner[last]
  else owner[last] = JSON.parse(json!)
}

const CHECKS: { readonly [verb: string]: Check } = {
  case: (title, { verdicts }) => {
    const verdict = verdicts.get(title)
    if (verdict === undefined) return `the suite has no case "${title}"`
    return verdict.result === 'passed' ? undefined : `"${title}" ${verdict.result}: ${verdict.reason}`
  },
  served: (words, { collected }) => {
    const [, path, kind] = /^(\S+) (.*)$/u.exec(words) ?? []
    return wrongAt(collected, path!, kind!)
  },
  failure: (words, { collected }) => {
    const [type, retry, action, recovery_class] = words.split(' ')
    const at = `failures.${type}.body.failure`
    return [['type', type], ['retry', retry], ['resolution.action', action], ['resolution.recovery_class', recovery_class]]
      .map(([member, value]) => wrongAt(collected, `${at}.${member}`, `=${value}`))
      .find((wrong) => wrong !== undefined)
  },
  refuses: (edit) => (checked(edited(edit)).errors.length > 0 ? undefined : `${edit} is taken`),
  takes: (edit) => {
    const { errors } = checked(edited(edit))
    return errors.length === 0 ? undefined : `${edit} is refused: ${errors.join(' ')}`
  },
} // prettier-ignore

/** Returns what is wrong with a sentence of a service; undefined if it holds. */
export function wrongWith({ how }: Row, found: Found): string | undefined {
  for (const each of how) {
    const [, verb, words] = /^(\w+) (.*)$/u.exec(each)!
    const wrong = CHECKS[verb!]!(words!, found)
    if (wrong !== undefined) return wrong
  }
  return undefined
}

/** Holds for a row that says how it is checked, or why it is not. */
export const isTold = ({ how }: Row): boolean =>
  how.length > 0 &&
  how.every(
    (each) => /^\w+ \S/u.test(each) && (Object.hasOwn(CHECKS, each.split(' ')[0] ?? '') || each.startsWith('not ')),
  )

export const isChecked = ({ how }: Row): boolean => how.every((each) => !each.startsWith('not '))
