/* The search of the site: the index is loaded when the field is first entered, and never leaves the page. */
{
  const folder = new URL('.', document.currentScript.src)
  const form = document.querySelector('form[role=search]')
  const input = form.querySelector('input')
  const found = document.querySelector('#found')
  const status = found.querySelector('p')
  const list = found.querySelector('ol')
  const SHOWN = 12
  let loading

  const load = (name) =>
    new Promise((loaded, failed) => {
      const script = Object.assign(document.createElement('script'), { src: new URL(name, folder), onload: loaded })
      script.addEventListener('error', failed)
      document.head.append(script)
    })

  const ready = () =>
    (loading ??= Promise.all([load('minisearch.js'), load('index.js')]).then(() => {
      const { options, index } = globalThis.searchIndex
      return globalThis.MiniSearch.loadJS(index, options)
    }))

  const part = (tag, text) => Object.assign(document.createElement(tag), { textContent: text })

  function row({ id, title, page, excerpt }) {
    const link = Object.assign(document.createElement('a'), { href: new URL(`../${id}`, folder) })
    link.append(part('strong', title))
    if (page !== title) link.append(part('span', page))
    const item = document.createElement('li')
    item.append(link, part('p', excerpt))
    return item
  }

  async function show() {
    const words = input.value.trim()
    const index = await ready()
    if (words !== input.value.trim()) return
    found.hidden = words === ''
    const results = index.search(words, { prefix: true, fuzzy: 0.15, combineWith: 'AND', boost: { title: 4, page: 2 } })
    status.textContent = results.length === 0 ? 'Nothing found.' : `${results.length} found`
    list.replaceChildren(...results.slice(0, SHOWN).map(row))
  }

  function leave() {
    input.value = ''
    found.hidden = true
  }

  form.hidden = false
  input.addEventListener('focus', ready, { once: true })
  input.addEventListener('input', show)
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    await show()
    list.querySelector('a')?.click()
  })
  found.addEventListener('click', (event) => event.target.closest('a') && leave())
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !found.hidden) {
      leave()
      input.focus()
    }
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.target.closest('input')) return
    event.preventDefault()
    input.focus()
  })
}
