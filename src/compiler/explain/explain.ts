import type { Finding } from '../finding.js'
import type { ReadFiles } from '../shape/read-files.js'
import { withoutEchoes } from './echoes.js'
import { withEdits } from './edits.js'
import { withLayoutCause } from './layout/layout-cause.js'
import { maskFindings, maskedIn } from './masking.js'
import { inOrder, sorted } from './order.js'
import { oncePerFile } from './once-per-file.js'
import { joinRepeats } from './repeats.js'
import { weighed } from './severities.js'
import type { Step } from './step.js'
import { joinParts } from './together.js'
import { suppressed } from './suppress.js'
import { withPaths, withPathsIn } from './paths.js'

const STEPS: readonly Step[] = [
  withLayoutCause,
  withoutEchoes,
  joinParts,
  suppressed,
  inOrder,
  oncePerFile,
  joinRepeats,
  withEdits,
  withPaths,
  maskFindings,
  weighed,
]

/** Steps for every document, whether it is a manifest or not. */
export const presentFindings = (
  findings: readonly Finding[],
  read: Pick<ReadFiles, 'roots' | 'placed'>,
): readonly Finding[] => maskedIn(withPathsIn(sorted(findings), read), read.roots, read.placed)

/** The findings that the author should see: each fault once, by its cause. */
export const explain: Step = (findings, about) => STEPS.reduce((found, step) => step(found, about), findings)
