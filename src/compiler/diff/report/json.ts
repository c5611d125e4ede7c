import type { Place } from '../../diagnostics.js'
import { OUTPUT_VERSION, printedJson } from '../../report/printed-json.js'
import { countsOf, failsOn, worstFirst, type DiffRun } from './run.js'

/** The changes as data. The shape is that of `schemas/changes.schema.json`. */
export const jsonDiff = ({ before, after, changes, failOn }: DiffRun): string =>
  printedJson({
    version: OUTPUT_VERSION,
    before,
    after,
    summary: countsOf(changes),
    changes: worstFirst(changes).map((change) => ({
      code: change.code,
      slug: change.slug,
      effect: change.effect,
      weakens: change.weakens,
      ...(change.bump === undefined ? {} : { bump: change.bump }),
      path: change.at.join('/'),
      message: change.message,
      ...placeOf(change),
      ...(change.old === undefined ? {} : { old: placeOf(change.old) }),
      fails: failsOn(change, failOn),
      ...(change.accepted === undefined ? {} : { accepted: change.accepted }),
    })),
  })

const placeOf = ({ file, range: { start, end } }: Place) => ({
  file,
  range: { start: { line: start.line, column: start.column }, end: { line: end.line, column: end.column } },
})
