import { all, anyChange, flagChange, memberChange, valueOf, type Comparison } from './difference.js'

const PARTS: Comparison = all([
  anyChange('composition.authority_boundary', 'SVC9250'),
  anyChange('composition.steps', 'SVC9123'),
  anyChange('composition.input_mapping', 'SVC9124'),
  anyChange('composition.x-literals', 'SVC9124'),
  anyChange('composition.output_mapping', 'SVC9124'),
  anyChange('composition.empty_result_policy', 'SVC9125'),
  anyChange('composition.empty_result_output', 'SVC9126'),
  anyChange('composition.failure_policy', 'SVC9127'),
  flagChange('composition.audit_policy.record_child_invocations', { on: 'SVC9129', off: 'SVC9128', absent: true }),
  flagChange('composition.audit_policy.parent_task_lineage', { on: 'SVC9129', off: 'SVC9128', absent: true }),
])

/** Atomic or composed, and of what (section 2.8). */
export const composition: Comparison = (before, after) => {
  const kind = memberChange('kind', (_, is) => (is === 'composed' ? 'SVC9121' : 'SVC9122'))(before, after)
  const isBoth = [before, after].every((each) => valueOf(each, ['composition']) !== undefined)
  return isBoth ? [...kind, ...PARTS(before, after)] : kind
}
