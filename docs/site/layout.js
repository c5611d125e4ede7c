/** The frame of a page: the head, the search, the navigation, and what is on the page. */
import { addressOf, relativeTo } from './sources.js'
import { escaped } from './text.js'

const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'"
/** Pages with fewer sections show no list of them. */
const LISTED_FROM = 3
/** Pages with more show those of the first level only. */
const DEEP_UP_TO = 100

export function layoutOf(page, navigation) {
  const to = (address) => relativeTo(page.address, address)
  const title = page.address === 'index.html' ? page.title : `${page.title} – svc-kit`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<link rel="icon" href="${to('site/icon.svg')}">
<link rel="stylesheet" href="${to('site/style.css')}">
<script defer src="${to('site/search.js')}"></script>
</head>
<body>
<a class="skip" href="#text">Skip to the text</a>
<header>
<a class="home" href="${to('index.html')}"><img src="${to('site/icon.svg')}" alt="" width="20" height="20">svc-kit</a>
<form role="search" hidden>
<input type="search" placeholder="Search ( / )" aria-label="Search the documentation" autocomplete="off" spellcheck="false">
</form>
<a class="contents" href="#contents">Contents</a>
</header>
<section id="found" aria-label="Search results" hidden><p role="status"></p><ol></ol></section>
<div class="columns">
<main id="text" tabindex="-1">
${wayTo(page, to)}<article>
${page.html}</article>
</main>
${onThisPage(page)}<nav id="contents" aria-label="Documentation">
${navigation.map((group) => groupOf(group, page, to)).join('\n')}
</nav>
</div>
</body>
</html>
`
}

function groupOf({ label, links }, page, to) {
  const rows = links.map(({ title, source, hash }) => {
    const current = source === page.source && hash === '' ? ' aria-current="page"' : ''
    return `<li><a href="${to(addressOf(source)) || to(page.address)}${hash}"${current}>${escaped(title)}</a></li>`
  })
  return `<h2>${escaped(label)}</h2>\n<ul>\n${rows.join('\n')}\n</ul>`
}

const SHELVES = [
  ['docs/reference/manifest/', 'Fields of the manifest'],
  ['docs/reference/rules/', 'Rules'],
  ['docs/decisions/', 'Decisions'],
  ['docs/interface/', 'The interface'],
  ['docs/security/', 'Security', 'docs/security.html'],
]

/** A page that is found through an index names it. */
function wayTo(page, to) {
  const shelf = SHELVES.find(([folder]) => page.address.startsWith(folder))
  const [folder, title, index = `${folder}index.html`] = shelf ?? []
  return shelf === undefined || page.address === index ? '' : `<p class="way"><a href="${to(index)}">${title}</a></p>\n`
}

function onThisPage({ headings }) {
  const deep = headings.filter(({ depth }) => depth === 2 || depth === 3)
  const listed = deep.length > DEEP_UP_TO ? deep.filter(({ depth }) => depth === 2) : deep
  if (listed.length < LISTED_FROM) return ''
  const rows = listed.map(({ id, depth, title }) => `<li class="d${depth}"><a href="#${id}">${escaped(title)}</a></li>`)
  return `<nav class="page" aria-label="On this page">\n<h2>On this page</h2>\n<ul>\n${rows.join('\n')}\n</ul>\n</nav>\n`
}
