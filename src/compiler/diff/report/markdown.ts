import { EFFECTS, type Effect } from '../effects.js'
import { countSentence, failsOn, type DiffRun, type ReportedChange } from './run.js'

const TITLES: { readonly [effect in Effect]: string } = {
  breaking: 'Breaking: callers must change',
  weakened: 'Weakened: less is governed',
  unbumped: 'Versions that do not say so',
  compatible: 'Compatible',
}

/** The changes for a pull request: a table for each effect, worst first. */
export function markdownDiff({ before, after, changes, failOn }: DiffRun): string {
  const sections = EFFECTS.flatMap((effect) => {
    const of = changes.filter((change) => change.effect === effect)
    return of.length === 0 ? [] : [section(TITLES[effect], of, failOn)]
  })
  return [`## svc diff\n`, `${cell(before)} → ${cell(after)}: ${countSentence(changes)}\n`, ...sections].join('\n')
}

const section = (title: string, changes: readonly ReportedChange[], failOn: DiffRun['failOn']): string =>
  [
    `### ${title}\n`,
    '| | change | where | |',
    '| --- | --- | --- | --- |',
    ...changes.map((change) => row(change, failsOn(change, failOn))),
    '',
  ].join('\n')

const row = ({ code, message, file, range, accepted }: ReportedChange, fails: boolean): string => {
  const state = accepted === undefined ? (fails ? '❌' : '') : `accepted: ${cell(accepted)}`
  return `| ${code} | ${cell(message)} | ${cell(`${file}:${range.start.line}`)} | ${state} |`
}

/** Puts text of a manifest into a code span, where it cannot be a link, a mention, markup or a second line. */
const cell = (text: string): string =>
  text === ''
    ? ''
    : `\`${text
        .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, ' ')
        .replaceAll('`', "'")
        .replaceAll('|', String.raw`\|`)}\``
