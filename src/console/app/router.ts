import { useEffect, useState } from 'preact/hooks'
import { ROOT } from './place.js'

/** Path below the root, without a slash at its end. */
const here = (): string => location.pathname.slice(ROOT.length).replace(/\/$/u, '')

const MOVED = 'console:moved'
const FILTERED = 'console:filtered'

/** Shows another page of the console. */
export function go(path: string): void {
  history.pushState(null, '', `${ROOT}${path}`)
  dispatchEvent(new Event(MOVED))
}

/** Returns the query of the address; a new object when it changes. */
export function useQuery(): URLSearchParams {
  const [search, setSearch] = useState(location.search)
  useEffect(() => {
    const moved = (): void => setSearch(location.search)
    const names = ['popstate', MOVED, FILTERED]
    for (const name of names) addEventListener(name, moved)
    return () => {
      for (const name of names) removeEventListener(name, moved)
    }
  }, [])
  return new URLSearchParams(search)
}

/** Puts filters into the address of this page, which stays where it is. */
export function putQuery(query: URLSearchParams): void {
  const text = query.toString()
  history.replaceState(null, '', text === '' ? location.pathname : `${location.pathname}?${text}`)
  dispatchEvent(new Event(FILTERED))
}

/** The path that is shown; links within the console change it without a load. */
export function usePath(): string {
  const [path, setPath] = useState(here)
  useEffect(() => {
    const moved = (): void => {
      setPath(here())
      document.getElementById('main')?.focus({ preventScroll: true })
      scrollTo(0, 0)
    }
    const clicked = (event: MouseEvent): void => {
      const link = event.target instanceof Element ? event.target.closest('a') : null
      if (link === null || !isWithin(link, event)) return
      event.preventDefault()
      go(link.pathname.slice(ROOT.length) + link.search)
    }
    addEventListener('popstate', moved)
    addEventListener(MOVED, moved)
    document.addEventListener('click', clicked)
    return () => {
      removeEventListener('popstate', moved)
      removeEventListener(MOVED, moved)
      document.removeEventListener('click', clicked)
    }
  }, [])
  return path
}

const isWithin = (link: HTMLAnchorElement, event: MouseEvent): boolean =>
  link.origin === location.origin &&
  link.pathname.startsWith(`${ROOT}/`) &&
  link.hash === '' &&
  !link.hasAttribute('download') &&
  event.button === 0 &&
  !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)

/** Goes through the sign-in, and comes back to this page. */
export function signInAgain(): void {
  const back = encodeURIComponent(location.pathname + location.search)
  location.assign(`${ROOT}/sign-in?again=1&page=${back}`)
}
