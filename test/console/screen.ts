/** The console on a screen that nobody sees: the real pages in a document without a browser, before a service that answers what a test says. */
import { onTestFinished, vi } from 'vitest'
import { Window, type Element, type HTMLElement, type HTMLInputElement } from 'happy-dom'

/** 12:00 in London, 21:00 in Tokyo, where the person sits. */
export const NOW = Date.parse('2026-03-01T12:00:00.000Z')
export const at = (seconds: number): string => new Date(NOW + seconds * 1000).toISOString()

/** What the service answers: a value, what is made of what was asked, a failure, or nothing at all. */
type Answer = object | ((body: never, query: string) => object)
export type Answers = { readonly [request: string]: Answer }

const STATUS = Symbol('status')
export const failure = (type: string, detail: string, more: object = {}): object => ({
  [STATUS]: 400,
  success: false,
  failure: { type, detail },
  ...more,
})
/** The connection breaks. */
export const NOTHING = { [STATUS]: 0 }

export const ME = {
  service: 'Travel',
  host: 'travel.example',
  now: NOW,
  provider: 'login.example',
  takes_keys: false,
  person: {
    principal: 'human:bob',
    csrf: 'csrf-of-bob',
    by: 'provider',
    ends_in: 3600,
    roles: [],
    may_approve: ['book', 'hold'],
    tiers: [],
    effects: { book: { type: 'irreversible' }, hold: { type: 'transactional', rollback_window: 'PT2H', compensation: 'release' } }, // prettier-ignore
  },
} as const

const EMPTY: Answers = {
  'GET /-/console/api/me': ME,
  'GET /-/console/api/approvals?status=pending&limit=200': { approval_requests: [] },
}

/** What of an element somebody reads, sees or hears, beside its text. */
const TOLD = [
  'href', 'type', 'name', 'role', 'data-is', 'data-kind', 'aria-current', 'aria-pressed', 'aria-expanded', 'aria-selected', 'aria-invalid', 'aria-disabled',
  'aria-label', 'title', 'datetime', 'placeholder', 'min', 'max', 'maxlength', 'download', 'disabled', 'autofocus', 'width', 'x', 'y', 'height',
] as const // prettier-ignore

const BLOCKS = /^(?:h\d|p|li|dt|dd|tr|div|section|article|aside|header|main|nav|form|fieldset|legend|dialog|details|summary|button|label|select|textarea|input|pre|ul|ol|dl|table|tbody|thead|svg|rect|option)$/u // prettier-ignore

/** Classes that say something of their own. */
const CLASSES = /^(?:ended|on|here|dash|warn|spent|this|no|bad|task-page)$/u

function toldOf(element: Element): string {
  const attributes = TOLD.flatMap((name) => {
    const value = element.getAttribute(name)
    return value === null || (element.tagName === 'path' && name !== 'href') ? [] : [value === '' ? name : `${name}=${value}`] // prettier-ignore
  })
  const { value, checked } = element as HTMLInputElement
  if (/^(?:INPUT|TEXTAREA|SELECT)$/u.test(element.tagName) && value !== '' && value !== 'on')
    attributes.push(`:${value}`)
  if (checked) attributes.push('checked')
  attributes.push(
    ...[...element.classList].filter((name) => CLASSES.test(name) || (name === 'gap' && element.tagName === 'rect')),
  )
  return attributes.length === 0 ? '' : `{${attributes.join(' ')}}`
}

function read(node: Element): string {
  const inner = [...node.childNodes].map((child) => child.nodeType === 3 ? (child.textContent ?? '').replaceAll(/\s+/gu, ' ') : child.nodeType === 1 ? read(child as Element) : '').join('') // prettier-ignore
  const tag = node.tagName.toLowerCase()
  if (tag === 'svg' && node.getAttribute('aria-hidden') === 'true' && node.classList.contains('i'))
    return `(${icons.get(pathsOf(node)) ?? '?'})`
  if (/^(?:td|th)$/u.test(tag)) return `${toldOf(node)}${inner} | `
  const whole = `${toldOf(node)}${inner}`
  return BLOCKS.test(tag) ? `\n${whole}\n` : tag === 'a' ? `[${whole}]` : whole
}

const pathsOf = (svg: Element): string => [...svg.querySelectorAll('path')].map((path) => path.getAttribute('d')).join()
let icons: ReadonlyMap<string, string> = new Map()

const ICONS = ['inbox', 'activity', 'tokens', 'capabilities', 'overview', 'done', 'denied', 'refused', 'failed', 'waiting', 'expired', 'undo', 'irreversible', 'write', 'read', 'verified', 'person', 'agent', 'tick', 'dash', 'live'] // prettier-ignore

const linesOf = (element: Element | null): readonly string[] =>
  element === null ? [] : read(element).split('\n').map((line) => line.replaceAll(/\s+/gu, ' ').replace(/ \|$/u, '').trim()).filter((line) => line !== '') // prettier-ignore

interface Sent {
  readonly request: string
  readonly csrf?: string
  readonly body?: unknown
}

/** Where a test puts what it knows of a stream of the service. */
class Stream extends EventTarget {
  isClosed = false
  readonly url: string
  constructor(url: string) {
    super()
    this.url = url
    streams.push(this)
  }
  close(): void {
    this.isClosed = true
  }
}
let streams: Stream[] = []
const NodeEvent = globalThis.Event

/** Opens a page of the console, and reads it once it is there. */
export async function openPage(path: string, given: Answers = {}) {
  vi.stubEnv('TZ', 'Asia/Tokyo')
  vi.resetModules()
  vi.useFakeTimers({ now: NOW, toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  const window = new Window({ url: `https://travel.example/-/console${path}` })
  const { document } = window
  document.body.innerHTML = '<div id="console"></div>'
  const answers = { ...EMPTY, ...given }
  const sent: Sent[] = []
  const left: string[] = []
  streams = []
  const ask = async (address: string, { method = 'GET', headers = {}, body, redirect, credentials }: { method?: string; headers?: { readonly [name: string]: string }; body?: string; redirect?: string; credentials?: string } = {}) => {
    // No answer of another place is read, and what is the same for everybody is asked without the cookie.
    if (redirect !== 'error' || credentials !== (address.startsWith('/-/console/') ? 'same-origin' : 'omit')) throw new Error(`${address} is asked wrongly.`) // prettier-ignore
    const request = `${method} ${address}`
    const value = body === undefined ? undefined : (JSON.parse(body) as never)
    sent.push({ request, ...(headers['x-csrf-token'] !== undefined && { csrf: headers['x-csrf-token'] }), ...(body !== undefined && { body: value }) })
    const answer = answers[request] ?? answers[request.replace(/\?.*$/u, '?*')]
    if (answer === undefined && address.includes('wait=')) return new Promise<never>(() => undefined)
    const said = (typeof answer === 'function' ? answer(value as never, request.split('?')[1] ?? '') : (answer ?? NOTHING)) as { readonly [STATUS]?: number }
    if (said instanceof Promise || said instanceof Response) return said
    if (said[STATUS] === 0) throw new TypeError('fetch failed')
    return Response.json(said, { status: said[STATUS] ?? 200 })
  } // prettier-ignore
  const location = new Proxy(window.location, {
    get: (target, name) =>
      name === 'assign' || name === 'replace'
        ? (to: string) => void left.push(`${name} ${to}`)
        : target[name as 'href'],
  })
  const globals = {
    document, location, fetch: ask, EventSource: Stream,
    history: window.history, localStorage: window.localStorage, sessionStorage: window.sessionStorage,
    addEventListener: window.addEventListener.bind(window), removeEventListener: window.removeEventListener.bind(window), dispatchEvent: window.dispatchEvent.bind(window),
    Event: window.Event, MutationObserver: window.MutationObserver, Element: window.Element, HTMLElement: window.HTMLElement,
    HTMLTextAreaElement: window.HTMLTextAreaElement, HTMLButtonElement: window.HTMLButtonElement, scrollTo: () => undefined,
    navigator: { clipboard: { writeText: async (text: string) => { copied.push(text) } } },
  } // prettier-ignore
  const copied: string[] = []
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value)
  const app = '../../src/console/app'
  if (icons.size === 0) icons = await readIcons(app, document)
  await import(`${app}/main.js`)
  const pass = async (ms = 200): Promise<void> => void (await vi.advanceTimersByTimeAsync(ms))
  await pass()
  onTestFinished(async () => {
    vi.useRealTimers()
    await window.happyDOM.close()
    vi.unstubAllGlobals()
    vi.unstubAllEnvs()
  })
  const all = (selector: string) => [...document.querySelectorAll(selector)] as HTMLElement[]
  /** What is pressed: the last one that begins with the words, because a dialog stands after what opened it. */
  const called = (words: string): HTMLElement => {
    const found = all('button, a, summary, label, input').findLast((each) => (each.textContent || each.getAttribute('aria-label') || '').replaceAll(/\s+/gu, ' ').trim().startsWith(words)) // prettier-ignore
    if (found === undefined) throw new Error(`Nothing is called ${words}.\n${linesOf(document.body).join('\n')}`)
    return found
  }
  const fieldOf = (label: string): HTMLInputElement => {
    const found = called(label)
    const field = found.tagName === 'LABEL' && found.hasAttribute('for') ? document.getElementById(found.getAttribute('for')!) : found.querySelector('input, select, textarea') // prettier-ignore
    return field as unknown as HTMLInputElement
  }
  const send = (target: { dispatchEvent(event: never): boolean }, type: string, more: object = {}) =>
    target.dispatchEvent(Object.assign(new window.Event(type, { bubbles: true, cancelable: true }), more) as never)
  return {
    sent, left, copied, streams, window, pass,
    /** The page, line by line; of one part of it where a test asks for it. */
    lines: (selector = '#main') => linesOf(document.querySelector(selector)),
    title: () => document.title,
    path: () => window.location.pathname.replace('/-/console', '') + window.location.search,
    focused: () => (document.activeElement?.textContent ?? '').trim(),
    /** What was asked with POST. */
    changes: () => sent.filter(({ request }) => request.startsWith('POST ')),
    answer: (more: Answers) => void Object.assign(answers, more),
    click: async (words: string, more: object = {}) => {
      const target = called(words)
      target.dispatchEvent(Object.assign(new window.MouseEvent('click', { bubbles: true, cancelable: true, ...more })))
      await pass()
    },
    focus: async (words: string) => { called(words).focus(); await pass() },
    fill: async (label: string, value: string) => {
      const field = fieldOf(label)
      field.value = value
      send(field, 'input')
      send(field, 'change')
      await pass()
    },
    leave: async (label: string) => { send(fieldOf(label), 'blur'); await pass() },
    submit: async () => { send(all('form').at(-1)!, 'submit'); await pass() },
    /** A key, where the focus is. */
    press: async (key: string, more: object = {}) => {
      const target = (document.activeElement ?? document.body) as unknown as HTMLElement
      target.dispatchEvent(new window.KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }))
      await pass()
    },
    event: async (name: string, data?: unknown) => {
      streams.at(-1)!.dispatchEvent(Object.assign(new NodeEvent(name), { data: JSON.stringify(data) }))
      await pass()
    },
    send: async (selector: string, type: string, more: object = {}) => { send(all(selector).at(-1)!, type, more); await pass() },
  } // prettier-ignore
}

async function readIcons(app: string, document: Window['document']): Promise<ReadonlyMap<string, string>> {
  const { icon } = (await import(`${app}/parts/icon.js`)) as { readonly icon: (name: string) => unknown }
  const { render } = (await import('preact')) as unknown as { readonly render: (node: unknown, into: unknown) => void }
  return new Map(
    ICONS.map((name) => {
      const into = document.createElement('div')
      render(icon(name), into)
      return [pathsOf(into), name] as const
    }),
  )
}
