/** Kinds of artefact that can be verified. */
export const ARTEFACT_KINDS = ['manifest', 'grant', 'checkpoint', 'entry', 'export'] as const
export type ArtefactKind = (typeof ARTEFACT_KINDS)[number]
