/** What a bootstrap credential may do beside buying tokens (decisions, section 13); a role buys no capability. */
export const ROLES = ['auditor', 'operator', 'metrics'] as const
export type Role = (typeof ROLES)[number]

export const isRole = (value: unknown): value is Role => ROLES.some((role) => role === value)
