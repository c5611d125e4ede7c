import { useEffect } from 'preact/hooks'

/** The title of the document begins with the heading of the page, whatever that is by now. */
export function useTitleOfHeading(service: string): void {
  useEffect(() => {
    const say = (): void => {
      const heading = document.querySelector('h1')?.textContent
      const title = heading ? `${heading} · ${service}` : service
      if (document.title !== title) document.title = title
    }
    say()
    const observer = new MutationObserver(say)
    observer.observe(document.getElementById('console')!, { childList: true, characterData: true, subtree: true })
    return () => observer.disconnect()
  }, [])
}
