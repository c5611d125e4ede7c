import type { CapabilityView } from '../rule.js'

/** Whether a call can end in `approval_required`. */
export const canNeedApproval = ({ approval }: CapabilityView): boolean => approval !== undefined
