/** Roles of bootstrap credentials beside requesting tokens (decisions, section 13); no role grants a capability. */
export const ROLES = ['auditor', 'operator', 'metrics'] as const
export type Role = (typeof ROLES)[number]

export const isRole = (value: unknown): value is Role => ROLES.some((role) => role === value)
