import type { ChangeKind } from '../../compiler/diff/kinds.js'
import { asJson } from '../shared/output/as-json.js'
import { referencePath } from './reference-path.js'

/** Explains a kind of change that `svc diff` reports; undefined for an unknown kind. */
export async function changeExplanation(wanted: string, isData: boolean): Promise<string | undefined> {
  const { CHANGE_KINDS } = await import('../../compiler/diff/kinds.js')
  const kind = [...CHANGE_KINDS.values()].find(
    ({ code, slug }) => code === wanted.toUpperCase() || slug === wanted.toLowerCase(),
  )
  if (kind === undefined) return undefined
  return isData ? asJson({ version: 1, ...kind }) : changePage(kind)
}

const EFFECT = {
  breaking: 'It breaks callers.',
  weakened: 'It weakens what is governed.',
  unbumped: 'The contract changed, and its version did not.',
  compatible: 'Callers go on as before.',
} as const satisfies { readonly [effect in ChangeKind['effect']]: string }

const changePage = ({ code, slug, effect, weakens, bump, why }: ChangeKind): string =>
  [
    `# ${code} ${slug}`,
    '',
    `${effect}${weakens ? ', weakened' : ''} · a change that \`svc diff\` reports`,
    '',
    `${why} ${EFFECT[effect]}${weakens ? ' It weakens what is governed, too.' : ''}`,
    '',
    bump === undefined ? 'It asks nothing of `contract_version`.' : `\`contract_version\` takes a new ${bump} version.`,
    '',
    `${referencePath('guides/change.md')} says how a change is accepted.`,
    '',
  ].join('\n')
