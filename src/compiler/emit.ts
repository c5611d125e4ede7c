import type { Manifest } from '../protocol/manifest.js'
import type { EmittedFile } from './emitted.js'
import { rememberNothing, type Remember } from './plan/memo.js'
import type { CapabilityPlan } from './plan/plan.js'
import { planService } from './plan/plan-service.js'
import { problemsOf, type PlanProblem } from './plan/problems.js'
import { exportLineOf, handlerPathOf } from './targets/drafts.js'
import { TARGETS } from './targets/index.js'
import type { Target } from './targets/target.js'

export interface EmitOptions {
  /** Generator for the header: `svc` and its version. */
  readonly generator: string
  /** Kept by who emits again and again; nothing is remembered without it. */
  readonly remember?: Remember
  /** Ids of the keys that may sign the manifest, for the client to pin; none when absent. */
  readonly manifestKeys?: readonly string[]
  /** Semantic version of the service; 0.0.0 when absent. */
  readonly version?: string
  /** Targets to generate; all if absent. */
  readonly targets?: readonly Target[]
}

export interface Emission {
  /** Empty when there is a problem. */
  readonly files: readonly EmittedFile[]
  readonly problems: readonly PlanProblem[]
  /** Places of the author's handlers, and how they are exported. */
  readonly handlers: readonly HandlerPlace[]
}

export interface HandlerPlace {
  readonly capability: string
  readonly identifier: string
  readonly path: string
  /** The line of `src/handlers/index.ts`. */
  readonly exportLine: string
}

/**
 * The code and documents of a valid manifest. Pure: the same manifest gives the same bytes, and nothing is written.
 *
 * @example
 * const { manifest } = check([{ file: 'svc.yaml', text }])
 * const { files, problems } = emit(manifest!, { generator: 'my-tool 1.0.0' })
 * for (const { path, text } of files) await writeFile(path, text)
 */
export function emit(
  manifest: Manifest,
  { generator, targets = TARGETS, remember = rememberNothing, ...facts }: EmitOptions,
): Emission {
  const plan = planService(manifest, generator, remember, facts)
  const problems = problemsOf(plan)
  if (problems.length > 0) return { files: [], problems, handlers: [] }
  return {
    files: targets.flatMap((target) => target(plan)),
    problems,
    handlers: plan.capabilities.filter(({ hasHandler }) => hasHandler).map(placeOf),
  }
}

const placeOf = (capability: CapabilityPlan): HandlerPlace => ({
  capability: capability.name,
  identifier: capability.identifier,
  path: handlerPathOf(capability),
  exportLine: exportLineOf(capability),
})
