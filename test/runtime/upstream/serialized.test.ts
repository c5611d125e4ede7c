/** One serializer, held against the table of the OpenAPI specification (3.2, 4.12.6.2 and appendix C). */
import { describe, expect, it } from 'vitest'
import { STYLES_AT, type ParameterPlace, type ParameterStyle } from '../../../src/protocol/upstream-requests.js'
import { addQuery, formText, headersOf, pathText, writtenValue } from '../../../src/runtime/upstream/http-request.js'
import { requestBodyOf } from '../../../src/runtime/upstream/request-body.js'
import { percentEncoded, reservedKept } from '../../../src/runtime/upstream/serialized.js'

const EMPTY = ''
const TEXT = 'blue'
const LIST = ['blue', 'black', 'brown']
const OBJECT = { R: 100, G: 200, B: 150 }

/** Style, explode, place -> empty, string, array, object, as the specification prints them. */
const TABLE: readonly (readonly [ParameterStyle, boolean, ParameterPlace, string, string, string, string])[] = [
  ['matrix', false, 'path', ';color', ';color=blue', ';color=blue,black,brown', ';color=R,100,G,200,B,150'],
  ['matrix', true, 'path', ';color', ';color=blue', ';color=blue;color=black;color=brown', ';R=100;G=200;B=150'],
  ['label', false, 'path', '.', '.blue', '.blue,black,brown', '.R,100,G,200,B,150'],
  ['label', true, 'path', '.', '.blue', '.blue.black.brown', '.R=100.G=200.B=150'],
  ['simple', false, 'path', '', 'blue', 'blue,black,brown', 'R,100,G,200,B,150'],
  ['simple', true, 'path', '', 'blue', 'blue,black,brown', 'R=100,G=200,B=150'],
  ['simple', false, 'header', '', 'blue', 'blue,black,brown', 'R,100,G,200,B,150'],
  ['simple', true, 'header', '', 'blue', 'blue,black,brown', 'R=100,G=200,B=150'],
  ['form', false, 'query', 'color=', 'color=blue', 'color=blue,black,brown', 'color=R,100,G,200,B,150'],
  ['form', true, 'query', 'color=', 'color=blue', 'color=blue&color=black&color=brown', 'R=100&G=200&B=150'],
  ['spaceDelimited', false, 'query', 'color=', 'color=blue', 'color=blue%20black%20brown', 'color=R%20100%20G%20200%20B%20150'],
  ['pipeDelimited', false, 'query', 'color=', 'color=blue', 'color=blue%7Cblack%7Cbrown', 'color=R%7C100%7CG%7C200%7CB%7C150'],
  ['tabDelimited', false, 'query', 'color=', 'color=blue', 'color=blue%09black%09brown', 'color=R%09100%09G%09200%09B%09150'],
  ['deepObject', true, 'query', 'color=', 'color=blue', 'color=blue&color=black&color=brown', 'color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150'],
  ['cookie', true, 'cookie', 'color=', 'color=blue', 'color=blue; color=black; color=brown', 'R=100; G=200; B=150'],
  ['cookie', false, 'cookie', 'color=', 'color=blue', 'color=blue,black,brown', 'color=R,100,G,200,B,150'],
] // prettier-ignore

/** Values that the specification leaves to RFC 6570: a number, a boolean, reserved characters, and empty members. */
const OTHERS = [7, true, 'a/b&c=d e', ['a,b', '', 'c|d'], { 'x y': 'p&q', z: '', n: null }] as const
const OTHER: readonly (readonly [ParameterStyle, boolean, ParameterPlace, string, string, string, string, string])[] = [
  ['matrix', false, 'path', ';color=7', ';color=true', ';color=a%2Fb%26c%3Dd%20e', ';color=a%2Cb,,c%7Cd', ';color=x%20y,p%26q,z,'],
  ['matrix', true, 'path', ';color=7', ';color=true', ';color=a%2Fb%26c%3Dd%20e', ';color=a%2Cb;color;color=c%7Cd', ';x%20y=p%26q;z'],
  ['label', false, 'path', '.7', '.true', '.a%2Fb%26c%3Dd%20e', '.a%2Cb,,c%7Cd', '.x%20y,p%26q,z,'],
  ['label', true, 'path', '.7', '.true', '.a%2Fb%26c%3Dd%20e', '.a%2Cb..c%7Cd', '.x%20y=p%26q.z='],
  ['simple', false, 'path', '7', 'true', 'a%2Fb%26c%3Dd%20e', 'a%2Cb,,c%7Cd', 'x%20y,p%26q,z,'],
  ['simple', true, 'path', '7', 'true', 'a%2Fb%26c%3Dd%20e', 'a%2Cb,,c%7Cd', 'x%20y=p%26q,z='],
  ['simple', false, 'header', '7', 'true', 'a%2Fb%26c%3Dd%20e', 'a%2Cb,,c%7Cd', 'x%20y,p%26q,z,'],
  ['simple', true, 'header', '7', 'true', 'a%2Fb%26c%3Dd%20e', 'a%2Cb,,c%7Cd', 'x%20y=p%26q,z='],
  ['form', false, 'query', 'color=7', 'color=true', 'color=a%2Fb%26c%3Dd%20e', 'color=a%2Cb,,c%7Cd', 'color=x%20y,p%26q,z,'],
  ['form', true, 'query', 'color=7', 'color=true', 'color=a%2Fb%26c%3Dd%20e', 'color=a%2Cb&color=&color=c%7Cd', 'x%20y=p%26q&z='],
  ['spaceDelimited', false, 'query', 'color=7', 'color=true', 'color=a%2Fb%26c%3Dd%20e', 'color=a%2Cb%20%20c%7Cd', 'color=x%20y%20p%26q%20z%20'],
  ['spaceDelimited', true, 'query', 'color=7', 'color=true', 'color=a%2Fb%26c%3Dd%20e', 'color=a%2Cb&color=&color=c%7Cd', 'x%20y=p%26q&z='],
  ['pipeDelimited', false, 'query', 'color=7', 'color=true', 'color=a%2Fb%26c%3Dd%20e', 'color=a%2Cb%7C%7Cc%7Cd', 'color=x%20y%7Cp%26q%7Cz%7C'],
  ['pipeDelimited', true, 'query', 'color=7', 'color=true', 'color=a%2Fb%26c%3Dd%20e', 'color=a%2Cb&color=&color=c%7Cd', 'x%20y=p%26q&z='],
  ['tabDelimited', false, 'query', 'color=7', 'color=true', 'color=a%2Fb%26c%3Dd%20e', 'color=a%2Cb%09%09c%7Cd', 'color=x%20y%09p%26q%09z%09'],
  ['spaceDelimited', false, 'path', '7', 'true', 'a%2Fb%26c%3Dd%20e', 'a%2Cb%20%20c%7Cd', 'x%20y%20p%26q%20z%20'],
  ['pipeDelimited', false, 'path', '7', 'true', 'a%2Fb%26c%3Dd%20e', 'a%2Cb%7C%7Cc%7Cd', 'x%20y%7Cp%26q%7Cz%7C'],
  ['tabDelimited', false, 'path', '7', 'true', 'a%2Fb%26c%3Dd%20e', 'a%2Cb%09%09c%7Cd', 'x%20y%09p%26q%09z%09'],
  ['spaceDelimited', false, 'header', '7', 'true', 'a%2Fb%26c%3Dd%20e', 'a%2Cb%20%20c%7Cd', 'x%20y%20p%26q%20z%20'],
  ['pipeDelimited', false, 'header', '7', 'true', 'a%2Fb%26c%3Dd%20e', 'a%2Cb%7C%7Cc%7Cd', 'x%20y%7Cp%26q%7Cz%7C'],
  ['tabDelimited', false, 'header', '7', 'true', 'a%2Fb%26c%3Dd%20e', 'a%2Cb%09%09c%7Cd', 'x%20y%09p%26q%09z%09'],
  ['deepObject', true, 'query', 'color=7', 'color=true', 'color=a%2Fb%26c%3Dd%20e', 'color=a%2Cb&color=&color=c%7Cd', 'color%5Bx%20y%5D=p%26q&color%5Bz%5D='],
  ['deepObject', false, 'query', 'color=7', 'color=true', 'color=a%2Fb%26c%3Dd%20e', 'color=a%2Cb&color=&color=c%7Cd', 'color%5Bx%20y%5D=p%26q&color%5Bz%5D='],
  ['cookie', false, 'cookie', 'color=7', 'color=true', 'color=a%2Fb%26c%3Dd%20e', 'color=a%2Cb,,c%7Cd', 'color=x%20y,p%26q,z,'],
  ['cookie', true, 'cookie', 'color=7', 'color=true', 'color=a%2Fb%26c%3Dd%20e', 'color=a%2Cb; color=; color=c%7Cd', 'x%20y=p%26q; z='],
] // prettier-ignore

const rowsOf = (table: typeof TABLE | typeof OTHER, values: readonly unknown[]) =>
  table.flatMap(([style, explode, place, ...wanted]) =>
    values.map((value, index) => [place, style, explode, JSON.stringify(value), wanted[index]!, value] as const),
  )
const rows = [...rowsOf(TABLE, [EMPTY, TEXT, LIST, OBJECT]), ...rowsOf(OTHER, OTHERS)]

describe('a value', () => {
  it.each(rows)('in a %s, style %s, explode %s, %s is %s', (place, style, explode, _, wanted, value) => {
    expect(writtenValue({ in: place, name: 'color', style, explode, value }, place, percentEncoded)).toBe(wanted)
  })

  it('has a row for each style of each place', () => {
    const styles = (Object.keys(STYLES_AT) as ParameterPlace[]).flatMap((place) => STYLES_AT[place].map((style) => `${place} ${style}`)) // prettier-ignore
    const isWritten = new Set(rows.map(([place, style]) => `${place} ${style}`))
    expect(styles.filter((each) => !isWritten.has(each))).toEqual(['cookie form'])
  })

  it.each(TABLE)('of %s, explode %s, in a %s is left out where it is null or has no members', (style, explode, place) => {
    for (const value of [null, [], {}, [null], { a: null }])
      expect(writtenValue({ in: place, name: 'color', style, explode, value }, place, percentEncoded)).toBeUndefined()
  }) // prettier-ignore

  it.each<[ParameterPlace, string]>([
    ['path', 'simple'],
    ['query', 'form'],
    ['header', 'simple'],
    ['cookie', 'form'],
  ])('in a %s has the style %s unless it says otherwise', (place, style) => {
    const explicit = { in: place, name: 'a', style: style as ParameterStyle, explode: style === 'form', value: LIST }
    expect(writtenValue({ in: place, name: 'a', value: LIST }, place, percentEncoded)).toBe(writtenValue(explicit, place, percentEncoded)) // prettier-ignore
  })

  const MARKS = ":/?#[]@!$&'()*+,;= %é\u{1f600}"

  it('keeps reserved characters only where it may, and none that ends a parameter', () => {
    expect(percentEncoded(MARKS)).toBe('%3A%2F%3F%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D%20%25%C3%A9%F0%9F%98%80') // prettier-ignore
    expect(reservedKept(MARKS)).toBe(":/?%23%5B%5D@!$%26'()*%2B,;%3D%20%25%C3%A9%F0%9F%98%80")
    expect(percentEncoded('a\ud800')).toBe('a%EF%BF%BD')
  })

  it('parts its items by what no item holds', () => {
    const given = { in: 'query', name: 'terms', explode: false, value: ['a', 'c,d'] } as const
    expect(writtenValue(given, 'query', percentEncoded)).toBe('terms=a,c%2Cd')
  })

  it('is JSON where it is declared so, and inside a list or an object', () => {
    expect(writtenValue({ in: 'query', name: 'w', json: true, value: { a: [1] } }, 'query', percentEncoded)).toBe('w=%7B%22a%22%3A%5B1%5D%7D') // prettier-ignore
    expect(writtenValue({ in: 'query', name: 'w', value: [{ a: 1 }] }, 'query', percentEncoded)).toBe(
      'w=%7B%22a%22%3A1%7D',
    )
    expect(writtenValue({ in: 'query', name: 'f', style: 'deepObject', value: { a: { b: [1, 2] }, c: '' } }, 'query', percentEncoded)).toBe('f%5Ba%5D%5Bb%5D=1&f%5Ba%5D%5Bb%5D=2&f%5Bc%5D=') // prettier-ignore
    expect(writtenValue({ in: 'query', name: 'f', style: 'deepObject', value: [{ a: 1, b: [2, 3] }, { a: 4 }] }, 'query', percentEncoded)).toBe('f%5B0%5D%5Ba%5D=1&f%5B0%5D%5Bb%5D=2&f%5B0%5D%5Bb%5D=3&f%5B1%5D%5Ba%5D=4') // prettier-ignore
  })
})

describe('a request', () => {
  it('has a query of all its parts, in their order', () => {
    const url = new URL('https://a.example/x')
    addQuery(url, [
      { in: 'query', name: 'a', value: 'ä b' },
      { in: 'query', name: 'none', value: [] },
      { in: 'query', name: 'b', value: 'x/y&z', reserved: true },
      { in: 'query-string', name: 'all', value: { q: 'a b', n: [1, 2] } },
    ])
    expect(url.search).toBe('?a=%C3%A4%20b&b=x/y%26z&q=a+b&n=1&n=2')
    addQuery(url, [{ in: 'query', name: 'a', value: 1 }], 'beta=true')
    expect(url.search).toBe('?beta=true&a=1')
  })

  it('has headers as they are, JSON of them in ASCII, and one header of all cookies', () => {
    const headers = headersOf([
      { in: 'header', name: 'X-List', value: ['a b', 'c'] },
      { in: 'header', name: 'X-Spaces', style: 'spaceDelimited', value: ['a', 'b'] },
      { in: 'header', name: 'X-Pipes', style: 'pipeDelimited', value: ['a', 'b'] },
      { in: 'header', name: 'X-Json', json: true, value: { a: 'é' } },
      { in: 'cookie', name: 'sid', value: 'a;b' },
      { in: 'cookie', name: 'raw', style: 'cookie', value: 'a;b/=' },
    ])!
    expect(Object.fromEntries(headers)).toEqual({ 'x-list': 'a b,c', 'x-spaces': 'a b', 'x-pipes': 'a|b', 'x-json': '{"a":"\\u00e9"}', cookie: 'sid=a%3Bb; raw=a%3Bb/=' }) // prettier-ignore
  })

  it.each<[unknown, readonly string[], string | undefined]>([
    ['a b', [], 'a%20b'],
    [['a', 'b'], [], 'a,b'],
    [['a', '../b'], [], undefined],
    [['a', '..'], [], undefined],
    [{ a: '%2e' }, [], undefined],
    ['a/b c', ['file'], 'a/b%20c'],
    ['a/b', ['other'], undefined],
    ['a/../b', ['file'], undefined],
    ['a//b', ['file'], undefined],
    ['/a', ['file'], undefined],
    ['a/%2e%2e', ['file'], undefined],
  ])('has %j in a path, with slashes for %j, as %s', (value, slashes, wanted) => {
    expect(pathText({ in: 'path', name: 'f', input: 'file', value }, slashes)).toBe(wanted)
  })
})

describe('a body', () => {
  const operation = (body: object) =>
    ({ method: 'POST', path: '/', inputs: {}, output: { as: 'status' }, body }) as never
  const form = { type: 'application/x-www-form-urlencoded', as: 'form' }

  it.each<[string, object, readonly object[], string | undefined]>([
    ['of JSON that may be left out', { type: 'application/json', as: 'json' }, [], undefined],
    ['of JSON that is required', { type: 'application/json', as: 'json', required: true }, [], '{}'],
    ['of JSON with null', { type: 'application/merge-patch+json', as: 'json' }, [{ in: 'body', name: 'a', value: null }], '{"a":null}'],
    ['of JSON that is one value', { type: 'application/json', as: 'json' }, [{ in: 'whole-body', name: 'body', value: [1] }], '[1]'],
    ['of a form', form, [{ in: 'body', name: 'n', value: [1, 2] }, { in: 'body', name: 'x y', value: 'a b&c' }, { in: 'body', name: 'o', value: { a: 1 } }], 'n=1&n=2&x+y=a+b%26c&o=%7B%22a%22%3A1%7D'],
    ['of a form with a style', form, [{ in: 'body', name: 'o', style: 'deepObject', value: { a: 1 } }, { in: 'body', name: 'l', explode: false, value: [1, 2] }], 'o%5Ba%5D=1&l=1,2'],
    ['of a form that is one value', form, [{ in: 'whole-body', name: 'body', value: { a: [1, 2], b: null } }], 'a=1&a=2'],
    ['of a text', { type: 'text/csv', as: 'text' }, [{ in: 'whole-body', name: 'body', value: 'a,b\n' }], 'a,b\n'],
    ['of bytes', { type: 'image/png', as: 'bytes' }, [{ in: 'whole-body', name: 'body', value: 'aGk=' }], 'hi'],
  ])('%s', (_, body, given, wanted) => {
    const made = requestBodyOf(operation(body), given as never)
    expect(typeof made === 'object' ? Buffer.from(made.content).toString() : made).toBe(wanted)
  }) // prettier-ignore

  it('of several parts has files with their names, objects as JSON, and a part for each item', () => {
    const given = [
      { in: 'body', name: 'note', value: 'é' },
      { in: 'body', name: 'tags', value: ['a', { b: 1 }] },
      { in: 'body', name: 'file"\r\n', file: 'image/png', value: 'aGk=' },
    ]
    const made = requestBodyOf(operation({ type: 'multipart/form-data', as: 'multipart' }), given as never)
    const { type, content } = made as { readonly type: string; readonly content: Uint8Array }
    const boundary = /boundary=(.+)$/u.exec(type)![1]!
    expect(Buffer.from(content).toString().replaceAll(boundary, 'B').split('\r\n')).toEqual([
      '--B', 'Content-Disposition: form-data; name="note"', '', 'é',
      '--B', 'Content-Disposition: form-data; name="tags"', '', 'a',
      '--B', 'Content-Disposition: form-data; name="tags"', 'Content-Type: application/json', '', '{"b":1}',
      '--B', 'Content-Disposition: form-data; name="file%22%0D%0A"; filename="file%22%0D%0A"', 'Content-Type: image/png', '', 'hi',
      '--B--', '',
    ]) // prettier-ignore
  })

  it.each(['*', 'aGk=a', 'aGk', 'aGl=', 'aGk=\n', 1, null])('of bytes is never %j, which is no base64', (value) => {
    expect(requestBodyOf(operation({ type: 'image/png', as: 'bytes' }), [{ in: 'whole-body', name: 'body', value }])).toBe('body') // prettier-ignore
  })

  it('of a form has no text where nothing is given', () => {
    expect(formText([])).toBeUndefined()
  })
})
