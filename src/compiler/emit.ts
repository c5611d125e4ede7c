import type { Manifest } from '../protocol/manifest.js'
import type { EmittedFile } from './emitted.js'
import { planService } from './plan/plan-service.js'
import { problemsOf, type PlanProblem } from './plan/problems.js'
import { TARGETS } from './targets/index.js'
import type { Target } from './targets/target.js'

export interface EmitOptions {
  /** Who generates, for the header: `svc` and its version. */
  readonly generator: string
  /** What is generated; everything when absent. */
  readonly targets?: readonly Target[]
}

export interface Emission {
  /** Empty when there is a problem. */
  readonly files: readonly EmittedFile[]
  readonly problems: readonly PlanProblem[]
}

/** The code and documents of a sound manifest. Pure: the same manifest gives the same bytes, and nothing is written. */
export function emit(manifest: Manifest, { generator, targets = TARGETS }: EmitOptions): Emission {
  const plan = planService(manifest, generator)
  const problems = problemsOf(plan.capabilities)
  if (problems.length > 0) return { files: [], problems }
  return { files: targets.flatMap((target) => target(plan)), problems }
}
