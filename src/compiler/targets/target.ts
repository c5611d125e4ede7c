import type { EmittedFile } from '../emitted.js'
import type { Plan } from '../plan/plan.js'

/** Makes files of a plan; pure. */
export type Target = (plan: Plan) => readonly EmittedFile[]
