import { printable } from '../shared/output/printable.js'
import type { Offer } from './offer.js'

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

interface Dialect {
  /** Script that the shell reads once. */
  readonly script: string
  /** One offer, as the script takes it: a line. */
  readonly line: (offer: Offer) => string
}

const ABOUT = 60
const short = (about: string): string => {
  const [first = ''] = printable(about).split('. ')
  return first.length > ABOUT ? `${first.slice(0, ABOUT - 1)}…` : first
}

const DIALECTS: { readonly [shell in Shell]: Dialect } = {
  bash: {
    line: ({ word }) => word,
    script: `# svc completion bash
_svc() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    [ -n "$line" ] && COMPREPLY+=("$line")
  done < <("\${COMP_WORDS[0]}" completion bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -o bashdefault -F _svc svc
`,
  },
  zsh: {
    line: ({ word, about }) => `${word.replaceAll(':', String.raw`\:`)}:${short(about)}`,
    script: `#compdef svc
# svc completion zsh
_svc() {
  local -a offers
  offers=("\${(@f)$("\${words[1]}" completion zsh -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${offers[1]}" ]]; then _describe 'svc' offers; else _files; fi
}
compdef _svc svc
`,
  },
  fish: {
    line: ({ word, about }) => `${word}\t${short(about)}`,
    script: `# svc completion fish
function __svc_offers
  set -l words (commandline -opc)
  set -l typed (commandline -ct)
  command $words[1] completion fish -- $words[2..-1] "$typed" 2>/dev/null
end
complete -c svc -a '(__svc_offers)'
`,
  },
}

/** Returns the script with which a shell completes the words after `svc`. */
export const scriptOf = (shell: Shell): string => DIALECTS[shell].script

/** Offers, a line each, as the script of the shell reads them. */
export const printed = (shell: Shell, offers: readonly Offer[]): string =>
  offers.map((offer) => `${DIALECTS[shell].line({ ...offer, word: printable(offer.word) })}\n`).join('')
