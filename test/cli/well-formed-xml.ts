export interface XmlElement {
  readonly name: string
  readonly attributes: { readonly [name: string]: string }
  readonly children: XmlElement[]
}

const TOKEN =
  /<\?xml version="1\.0" encoding="(?:UTF|utf)-8"\?>|<([a-zA-Z][\w-]*)((?: [a-zA-Z:]+="[^"<]*")*)(\/?)>|<\/([a-zA-Z][\w-]*)>|[^<]+/gy
const ENTITY = /&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)/iu

/** Reads XML of elements, attributes and text; throws where it is not well-formed. */
export function wellFormedXml(text: string): XmlElement {
  const top: XmlElement = { name: '', attributes: {}, children: [] }
  const open: XmlElement[] = [top]
  let at = 0
  for (const match of text.matchAll(TOKEN)) {
    if (match.index !== at) break
    at += match[0].length
    const [all, name, attributes = '', closed, end] = match
    if (ENTITY.test(all)) throw new Error(`A bare & stands in ${all}.`)
    if (/[\0-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/u.test(all))
      throw new Error(`A forbidden character stands in ${all}.`)
    if (end !== undefined && open.pop()?.name !== end) throw new Error(`</${end}> closes nothing.`)
    if (name === undefined) continue
    const element = { name, attributes: attributesOf(attributes), children: [] }
    open.at(-1)!.children.push(element)
    if (closed === '') open.push(element)
  }
  if (at !== text.length) throw new Error(`This is no XML: ${text.slice(at, at + 40)}`)
  if (open.length !== 1 || top.children.length !== 1) throw new Error('There is not one root, or it is not closed.')
  return top.children[0]!
}

function attributesOf(text: string): { readonly [name: string]: string } {
  const pairs = [...text.matchAll(/ ([a-zA-Z:]+)="([^"]*)"/gu)].map(([, name, value]) => [name!, value!] as const)
  if (new Set(pairs.map(([name]) => name)).size !== pairs.length) throw new Error(`An attribute is given twice:${text}`)
  return Object.fromEntries(pairs)
}
