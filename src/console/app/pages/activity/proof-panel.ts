import { useEffect, useState } from 'preact/hooks'
import type { AnsweredEntry } from '../../../../protocol/audit.js'
import { useNow } from '../../hooks/use-now.js'
import { markup } from '../../markup.js'
import { icon, type IconName } from '../../parts/icon.js'
import type { StateName } from '../../parts/notice.js'
import { prove, type Proof } from '../../proof/verify.js'
import { both } from '../../words/time.js'

const HEADS: {
  readonly [state in Proof['state'] | 'computing']: {
    readonly is: StateName
    readonly icon: IconName
    readonly word: string
  }
} = {
  computing: { is: 'neutral', icon: 'verified', word: 'Proof' },
  verified: { is: 'verified', icon: 'verified', word: 'Verified in this browser' },
  withheld: { is: 'waiting', icon: 'verified', word: 'In the trail; its text is withheld' },
  broken: { is: 'failed', icon: 'failed', word: 'The proof does not hold' },
  unsigned: { is: 'waiting', icon: 'waiting', word: 'Not signed yet' },
  unread: { is: 'failed', icon: 'failed', word: 'The proof could not be read' },
}

const SIGN_MS = 2000

/**
 * Proves that the signed audit trail contains the entry, computed in this page; repeated until a checkpoint covers
 * it.
 */
export function ProofPanel({ entry, service }: { readonly entry: AnsweredEntry; readonly service: string }) {
  const [proof, setProof] = useState<Proof | undefined>()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    let isOver = false
    const compute = async (): Promise<void> => {
      const computed = await prove(entry, service)
      if (isOver) return
      setProof(computed)
      if (computed.state === 'unsigned' || computed.state === 'unread')
        timer = setTimeout(() => void compute(), SIGN_MS)
    }
    void compute()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [entry.sequence])
  const { is, icon: name, word } = HEADS[proof?.state ?? 'computing']
  return markup`
    <section class="panel" aria-labelledby="proof">
      <h2 id="proof" role="status"><span class="state" data-is=${is}>${icon(name)}${word}</span></h2>
      ${proof?.state === 'unsigned' && markup`<p class="muted">The next checkpoint will cover this entry. This page looks for it.</p>`}
      ${proof !== undefined && 'steps' in proof && markup`<${Steps} entry=${entry} proof=${proof} service=${service} />`}
    </section>
  `
}

interface StepsProps {
  readonly entry: AnsweredEntry
  readonly proof: Extract<Proof, { readonly steps: unknown }>
  readonly service: string
}

function Steps({ entry, proof, service }: StepsProps) {
  const now = useNow()
  const { checkpoint, state, steps } = proof
  const at = Date.parse(checkpoint.created_at)
  return markup`
    <p class="muted">
      ${
        state === 'withheld'
          ? 'Verified here: an entry stands at this place of the signed trail. Not verified: what it says. Some of its text is withheld from you, so its hash cannot be computed here; an auditor can.'
          : `Computed here, from the entry and the keys that ${service} publishes.`
      }
    </p>
    <ol class="proof">
      ${steps.map(
        ({ holds, says, detail }) =>
          markup`<li data-is=${holds ? 'done' : 'failed'}>
            ${icon(holds ? 'tick' : 'denied')}<span
              >${says}
              <p><code>${detail}</code></p></span
            >
          </li>`,
      )}
    </ol>
    <p class="small muted">Signed <time datetime=${checkpoint.created_at}>${both(at, now)}</time>. ${ORIGIN}</p>
    <p class="foot"><${Download} name=${`proof-${entry.sequence}.json`} value=${{ entry, checkpoint }} /></p>
  `
}

/** Limit of the proof: no page of a service can prove whose keys it shows. */
const ORIGIN = 'This page cannot prove whose keys these are. Compare the last key with svc keys list.'

/** The entry and its proof as a file, for `svc audit verify`; made here, so that nothing is asked again. */
function Download({ name, value }: { readonly name: string; readonly value: object }) {
  const [href, setHref] = useState<string | undefined>()
  useEffect(() => {
    const made = URL.createObjectURL(
      new Blob([`${JSON.stringify(value, undefined, 2)}\n`], { type: 'application/json' }),
    )
    setHref(made)
    return () => URL.revokeObjectURL(made)
  }, [name])
  return markup`<a href=${href} download=${name}>Download the proof</a>`
}
