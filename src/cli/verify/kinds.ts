/** What can be verified. */
export const KINDS = ['manifest', 'grant', 'checkpoint', 'entry', 'export'] as const
export type Kind = (typeof KINDS)[number]
