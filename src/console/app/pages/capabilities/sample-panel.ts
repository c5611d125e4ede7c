import { useRef, useState } from 'preact/hooks'
import { markup } from '../../markup.js'
import { LANGUAGES, sampleIn, type Language, type SampleCall } from './samples.js'

const ALL = Object.keys(LANGUAGES) as readonly Language[]

/** The same call elsewhere, to be copied. */
export function SamplePanel({ call }: { readonly call: SampleCall }) {
  const [language, setLanguage] = useState<Language>('curl')
  const [said, setSaid] = useState('')
  const tabs = useRef<HTMLDivElement>(null)
  const text = sampleIn(language, call)
  const choose = (next: Language): void => {
    setLanguage(next)
    setSaid('')
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (by === 0) return
    event.preventDefault()
    const at = (ALL.indexOf(language) + by + ALL.length) % ALL.length
    choose(ALL[at]!)
    tabs.current?.querySelectorAll('button')[at]?.focus()
  }
  const copy = async (): Promise<void> => {
    const copied = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    )
    setSaid(copied ? 'Copied' : 'This browser does not copy: select the text')
  }
  return markup`
    <section class="panel" aria-labelledby="same">
      <div class="row between gapdown">
        <h2 id="same">The same call</h2>
        <div class="seg small" role="tablist" aria-label="Language" ref=${tabs} onKeyDown=${onKeyDown}>
          ${ALL.map(
            (each) =>
              markup`<button
                type="button"
                role="tab"
                id=${`in-${each}`}
                aria-selected=${each === language}
                aria-controls="sample"
                tabindex=${each === language ? 0 : -1}
                onClick=${() => choose(each)}
              >
                ${LANGUAGES[each]}
              </button>`,
          )}
        </div>
      </div>
      <div id="sample" role="tabpanel" aria-labelledby=${`in-${language}`}>
        <pre class="code" tabindex="0" role="region" aria-label=${LANGUAGES[language]}>${text}</pre>
      </div>
      <p class="foot row between">
        <span>The sample does not contain your token: set <code>SVC_TOKEN</code>.</span>
        <span class="row"><span class="small" role="status">${said}</span><button class="btn sm" type="button" onClick=${copy}>Copy</button></span>
      </p>
    </section>
  `
}
