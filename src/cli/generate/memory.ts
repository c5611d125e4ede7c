import { check, createChecker } from '../../compiler/check.js'
import { newMemo, rememberNothing, type Remember } from '../../compiler/plan/memo.js'
import type { Standing } from '../files.js'

/** What a watcher knows of the last build, so that an edit costs what it changes. */
export interface BuildMemory {
  readonly remember: Remember
  readonly check: typeof check
  /** What was written to each folder; nothing is noted without it. */
  readonly stood?: { readonly generated: Map<string, Standing>; readonly dist: Map<string, Standing> }
}

/** For a single build. */
export const NO_MEMORY: BuildMemory = { remember: rememberNothing, check }

/** For who builds again and again. */
export const newBuildMemory = (): BuildMemory => ({
  remember: newMemo(),
  check: createChecker(),
  stood: { generated: new Map(), dist: new Map() },
})
