import { safe } from '../../report/code-frame.js'
import { createColors, type Colors, type Paint } from '../../report/colors.js'
import type { Place } from '../../diagnostics.js'
import type { Effect } from '../effects.js'
import { countSentence, failsOn, wordsOf, worstFirst, type DiffRun, type ReportedChange } from './run.js'

/** The changes for a person: place, effect, code, what changed and whom it concerns; worst first. */
export function textDiff(run: DiffRun, color: boolean): string {
  const colors = createColors(color)
  const blocks = worstFirst(run.changes).map((change) => block(change, colors))
  const failing = run.changes.filter((change) => failsOn(change, run.failOn)).length
  const paint = failing > 0 ? colors.red : colors.green
  const advice =
    failing === 0 ? '' : ` ${failing} of them must be undone, bumped, or accepted with a reason: --accept <reason>.`
  return [...blocks, `${paint(countSentence(run.changes))}${advice}\n`].join('\n')
}

function block(change: ReportedChange, colors: Colors): string {
  const { code, slug, message, accepted, old } = change
  const effect = paintOf(change.effect, colors)(wordsOf(change))
  const head = `${colors.bold(safe(placeOf(change)))} ${effect} ${colors.bold(code)} ${colors.dim(slug)}`
  return [
    head,
    `  ${safe(message)}`,
    ...(old === undefined ? [] : [`  ${colors.cyan('was')} ${safe(placeOf(old))}`]),
    ...(accepted === undefined ? [] : [`  ${colors.green('accepted')} ${safe(accepted)}`]),
    '',
  ].join('\n')
}

const placeOf = ({ file, range: { start } }: Place): string => `${file}:${start.line}:${start.column}`

const paintOf = (effect: Effect, colors: Colors): Paint =>
  effect === 'compatible' ? colors.blue : effect === 'weakened' ? colors.yellow : colors.red
