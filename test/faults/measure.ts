import { check } from '../../src/compiler/check.js'
import type { Diagnostic } from '../../src/compiler/diagnostics.js'
import { faults, manifests, type Faulty } from './generate.js'

/** What was found of one fault. */
export interface Judged extends Faulty {
  /** `line code message`. */
  readonly findings: readonly string[]
  readonly isFound: boolean
  readonly isOne: boolean
  readonly isOnLine: boolean
  /** Suggestions without their edit. */
  readonly leftToType: readonly string[]
}

/** What suggests a text that nobody can have written for them, and why there is no edit. */
export const WITHOUT_EDIT: ReadonlyMap<string, string> = new Map([
  ['SVC0210', 'A block moves to another place, with all that is in it: `svc explain` shows the form.'],
  ['SVC6107', 'All that names the input is renamed with it: an editor does that, by its name.'],
])

/** Whether a finding says what was meant, and no editor can write it. */
export const isLeftToType = ({ code, message, suggestion, fix }: Diagnostic): boolean =>
  (suggestion !== undefined || message.includes('Did you mean')) && fix === undefined && !WITHOUT_EDIT.has(code)

export interface Figures {
  readonly faults: number
  readonly kinds: number
  readonly manifests: number
  /** Shares from 0 to 1. */
  readonly found: number
  readonly one: number
  readonly onLine: number
  /** Valid manifests of which something is found. */
  readonly wronglyAccused: readonly string[]
  readonly judged: readonly Judged[]
}

/** Makes faults one by one, and counts what `check` says of each. */
export function measure(each: number, seed: number): Figures {
  const all = manifests()
  const wronglyAccused = all.flatMap(({ name, text }) => found(text).map((finding) => `${name}: ${finding}`))
  const judged = [...faults(all, each, seed)].map(judge)
  const share = (holds: (one: Judged) => boolean): number => judged.filter(holds).length / judged.length
  return {
    faults: judged.length,
    kinds: new Set(judged.map(({ kind }) => kind)).size,
    manifests: all.length,
    found: share(({ isFound }) => isFound),
    one: share(({ isOne }) => isOne),
    onLine: share(({ isOnLine }) => isOnLine),
    wronglyAccused,
    judged,
  }
}

function judge(fault: Faulty): Judged {
  const { diagnostics } = check([{ file: 'svc.yaml', text: fault.text }])
  const findings = diagnostics.map(inWords)
  const lines = findings.map((each) => Number(each.split(' ', 1)[0]))
  return {
    ...fault,
    findings,
    isFound: findings.length > 0,
    isOne: findings.length === 1,
    isOnLine: lines.some((line) => fault.lines.includes(line)),
    leftToType: diagnostics.filter(isLeftToType).map(inWords),
  }
}

const found = (text: string): readonly string[] => check([{ file: 'svc.yaml', text }]).diagnostics.map(inWords)

const inWords = ({ range, code, message }: Diagnostic): string => `${range.start.line} ${code} ${message}`
