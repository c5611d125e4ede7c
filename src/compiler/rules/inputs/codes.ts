import type { Rule } from '../rule.js'

/** What another stage reports: each keeps its code, its name and its case here. */
export const INPUTS_CODES = [
  {
    code: 'SVC2302',
    slug: 'allowed-values-empty',
    severity: 'error',
    source: 'D',
    section: '2.5',
    description: '`allowed_values` lists at least one value.',
  },
  {
    code: 'SVC2310',
    slug: 'catalog-inline',
    severity: 'error',
    source: 'S',
    section: '2.5',
    description: '`catalog_ref` names a catalog, and is no list of values.',
  },
  {
    code: 'SVC2311',
    slug: 'catalog-syntax',
    severity: 'error',
    source: 'D',
    section: '2.5',
    description: '`catalog_ref` is an identifier.',
  },
  {
    code: 'SVC2401',
    slug: 'resolution-mode-missing',
    severity: 'error',
    source: 'S',
    section: '2.6',
    description: '`resolution` has a `mode`.',
  },
  {
    code: 'SVC2402',
    slug: 'resolution-mode-unknown',
    severity: 'error',
    source: 'S',
    section: '2.6',
    description: '`resolution.mode` is one of the seven modes.',
  },
  {
    code: 'SVC2406',
    slug: 'behaviour-unknown',
    severity: 'error',
    source: 'S',
    section: '2.6',
    description: 'on_missing, on_ambiguous and on_unresolved take one of the seven behaviours.',
  },
  {
    code: 'SVC2418',
    slug: 'resolver-syntax',
    severity: 'error',
    source: 'S',
    section: '2.6 r3',
    description: '`resolver_ref` is an identifier.',
  },
] as const satisfies readonly Rule[]
