/**
 * Section of the interface document -> the page below `docs/` that describes it. A part of a section, such as 9.3 or
 * 2.6 r3, is on the page of that section.
 */
const PAGES: { readonly [section: string]: string } = {
  1: 'interface/README.md',
  2: 'reference/manifest/README.md',
  2.1: 'interface/discovery.md',
  2.3: 'reference/manifest/manifest.md',
  2.4: 'reference/manifest/capability.md',
  2.5: 'reference/manifest/input.md',
  2.6: 'reference/manifest/resolution.md',
  2.7: 'reference/manifest/cost.md',
  2.8: 'reference/manifest/composition.md',
  2.9: 'reference/manifest/cross-service-hints.md',
  '2.10': 'interface/tokens.md',
  2.12: 'interface/approvals.md',
  3: 'interface/approvals.md',
  4.4: 'interface/tokens.md',
  4.5: 'interface/tokens.md',
  4.6: 'interface/invoke.md',
  4.7: 'interface/approvals.md',
  5: 'interface/tokens.md',
  6: 'interface/audit.md',
  7: 'interface/failures.md',
  8: 'reference/limits.md',
  9: 'interface/discovery.md',
}

export const SECTIONS: readonly string[] = Object.keys(PAGES)

export interface CitedSection {
  /** As a rule cites it: `2.6 r3`. */
  readonly name: string
  /** Below `docs/`. */
  readonly page: string
}

/** The sections that a rule cites, with their pages: `2.4,2.8`. Throws for one that has no page. */
export const citedSections = (cited: string): readonly CitedSection[] =>
  cited.split(',').map((name) => {
    const [number = ''] = /^\d+(?:\.\d+)?/u.exec(name) ?? []
    const page = PAGES[number] ?? PAGES[number.replace(/\..*$/u, '')]
    if (page === undefined) throw new TypeError(`Section ${name} has no page in docs.`)
    return { name, page }
  })
