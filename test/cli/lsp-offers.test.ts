/** What is done about findings, and how a proposal is written, by what an editor can do: each answer as a whole. */
import type {
  ClientCapabilities,
  CodeAction,
  CompletionItem,
  InlayHint,
  Position,
} from 'vscode-languageserver-protocol/node'
import { expect, it } from 'vitest'
import { editorDiagnostic } from '../../src/cli/lsp/publish.js'
import { editorInside, type EditorInside } from './editor-inside.js'

const TEXT = `manifest_metadata: { version: "0.24.0" }
service_identity: { id: crm }
trust: { level: signd }
capabilities:
  lookup:
    description: Account.
    contract_version: 1.0.0
    side_effect: { type: READ }
    minimum_scope: [crm.read]
    inputs:
      - { name: id, type: strin, description: Which account. }
    output: { type: account, fields: [account] }
    refresh_via: [lokup]
  report:
    description: Reports what is known of an account.
    contract_version: 1.0
    side_effect: { type: read }
    minimum_scope: [crm.read]
    inputs: [{ name: id, type: string, description: Which account. }]
    output: { type: account, fields: [account] }
`
const uri = 'untitled:crm.yaml'
const textDocument = { uri }
const everything = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } }

const ABILITIES: { readonly [of: string]: ClientCapabilities } = {
  'an editor that can do nothing': {},
  'an editor that can do all': {
    workspace: { workspaceEdit: { documentChanges: true, snippetEditSupport: true } },
    textDocument: {
      completion: { completionItem: { snippetSupport: true } },
      codeAction: { resolveSupport: { properties: ['command', 'edit'] } },
      diagnostic: {},
    },
  },
  'an editor with snippets, in no edits': {
    workspace: { workspaceEdit: { snippetEditSupport: true } },
    textDocument: {
      completion: { completionItem: { snippetSupport: true } },
      codeAction: { resolveSupport: { properties: ['command'] } },
    },
  },
}

async function withEditor(abilities: ClientCapabilities, use: (editor: EditorInside) => Promise<void>): Promise<void> {
  const editor = await editorInside(abilities)
  try {
    await use(editor)
  } finally {
    await editor.close()
  }
}
const home = new RegExp(`"file://[^"]*/docs/`, 'gu')
/** Each part of an answer below its name, a line for each item. */
const listed = (answer: object): string =>
  Object.entries(answer)
    .map(([name, part]) => `=== ${name}\n${(Array.isArray(part) ? part : [part]).map(line).join('\n')}\n`)
    .join('')
const line = (item: unknown): string =>
  typeof item === 'string' ? item : JSON.stringify(item).replaceAll(home, '"docs/')

it.each(Object.entries(ABILITIES))('%s is offered these actions', async (of, abilities) => {
  await withEditor(abilities, async ({ open, ask }) => {
    await open(uri, TEXT)
    const offered = async (range: object, context: object = { diagnostics: [] }) =>
      ask<CodeAction[]>('textDocument/codeAction', { textDocument, range, context })
    const titled = async (only: string) =>
      (await offered(everything, { diagnostics: [], only: [only] })).map(({ title }) => title)
    const resolved = []
    for (const action of await offered(everything)) resolved.push(await ask('codeAction/resolve', action))
    const only = ['', 'quickfix', 'source', 'source.fixAll', 'source.fixAll.svc', 'source.fix', 'refactor']
    const titles: { [kind: string]: readonly string[] } = {}
    for (const kind of only) titles[kind] = await titled(kind)
    const at = (line: number, character: number) => ({ start: { line, character }, end: { line, character } })
    const beside = [at(7, 24), at(7, 25), at(7, 29), at(7, 30)].map(async (range) => (await offered(range)).length)
    const report = {
      all: await offered(everything),
      resolved,
      titles,
      beside: await Promise.all(beside),
      onSave: await offered(everything, { diagnostics: [], only: ['source.fixAll'] }),
    }
    await expect(listed(report)).toMatchFileSnapshot(`lsp-whole/actions-of-${of.replaceAll(/\W+/gu, '-')}.txt`)
  })
})

/** A proposal in one line, with the begin of what is said of it when it is looked at. */
function written(item: CompletionItem, { documentation }: CompletionItem): string {
  const { label, kind, sortText, filterText, insertTextFormat, textEdit, data, detail, ...others } = item
  expect([filterText, others]).toEqual([label, {}])
  const about = documentation === undefined ? '' : JSON.stringify(documentation).slice(0, 70)
  return `${label} · ${kind} ${sortText} ${insertTextFormat} · ${JSON.stringify(textEdit)} · ${JSON.stringify(data)} · ${detail} · ${about}`
}

it.each([
  ['a field of a manifest', `${TEXT}x|\n`],
  ['a field of a capability', TEXT.replace('    refresh_via', '    x|\n    refresh_via')],
  ['a field within braces', TEXT.replace('{ type: READ }', '{ type: read, x| }')],
  ['a capability within braces', `${TEXT}  other: { x| }\n`],
  ['a word', TEXT.replace('READ', 'x|')],
  ['the key of a field', TEXT.replace('contract_version: 1.0.0', 'x|contract_version: 1.0.0')],
  ['a capability', TEXT.replace('  report:', '  x|\n  report:')],
  ['an input', TEXT.replace('      - { name: id, type: strin', '      - x|\n      - { name: id, type: strin')],
  ['a text', TEXT.replace('Account.', 'x|')],
  ['a comment', `# x|\n${TEXT}`],
])('proposals for %s', async (name, marked) => {
  const offset = marked.indexOf('|')
  const text = marked.replace('|', '')
  const before = text.slice(0, offset).split('\n')
  const position: Position = { line: before.length - 1, character: before.at(-1)!.length }
  const said: { [of: string]: readonly string[] } = {}
  for (const [of, abilities] of Object.entries(ABILITIES).slice(0, 2))
    await withEditor(abilities, async ({ open, ask }) => {
      await open(uri, text)
      const items = await ask<CompletionItem[]>('textDocument/completion', { textDocument, position })
      const documented = await Promise.all(items.map((item) => ask<CompletionItem>('completionItem/resolve', item)))
      said[of] = items.map((item, index) => written(item, documented[index]!))
    })
  await expect(listed(said)).toMatchFileSnapshot(`lsp-whole/proposals-for-${name.replaceAll(' ', '-')}.txt`)
})

it.each(Object.entries(ABILITIES))('%s is told what it may ask for', async (of, abilities) => {
  await withEditor(abilities, async ({ initialized: { capabilities } }) => {
    await expect(listed(capabilities)).toMatchFileSnapshot(`lsp-whole/asked-by-${of.replaceAll(/\W+/gu, '-')}.txt`)
  })
})

const LINTED = `${TEXT.slice(TEXT.indexOf('manifest_metadata'), TEXT.indexOf('  report:'))}`
  .replace('signd', 'signed')
  .replace('READ', 'read')
  .replace('strin,', 'string,')
  .replace('    refresh_via: [lokup]\n', '')
const asJson = (text: string): string =>
  JSON.stringify({
    manifest_metadata: { version: '0.24.0' },
    service_identity: { id: 'crm' },
    trust: { level: 'signed' },
    capabilities: { lookup: { description: text, contract_version: '1.0.0', side_effect: { type: 'read' } } },
  })

it.each([
  ['a manifest', 'untitled:a.yaml', LINTED, ['Suppress SVC6101']],
  ['JSON', 'untitled:a.json', LINTED, []],
  ['JSON by what it says', 'untitled:b.yaml', asJson('Account.'), []],
  ['JSON after a line', 'untitled:c.yaml', `\n  ${asJson('Account.')}`, []],
  [
    'a text of several lines',
    'untitled:d.yaml',
    LINTED.replace('Account.', '"Account\n      ."'),
    ['Suppress SVC6101'],
  ],
  [
    'a line that begins within a text',
    'untitled:e.yaml',
    LINTED.replace('Account.', 'Looks an account up by its id.').replace(
      'type: string, description: Which account.',
      'description: "Which\n        account.", type: strin',
    ),
    [],
  ],
  [
    'a line that begins after a text',
    'untitled:f.yaml',
    LINTED.replace('Account.', 'Looks an account up by its id.').replace(
      'type: string, description: Which account.',
      'description: "Which account.",\n        type: strin',
    ),
    ['Suppress SVC2301'],
  ],
] as const)('in %s what is no error is suppressed where a comment can be', async (_, uri, text, wanted) => {
  await withEditor({}, async ({ open, ask }) => {
    await open(uri, text)
    const params = { textDocument: { uri }, range: everything, context: { diagnostics: [] } }
    const offered = await ask<CodeAction[]>('textDocument/codeAction', params)
    const titles = offered.flatMap(({ title }) => (title.startsWith('Suppress') ? [title.slice(0, 16)] : []))
    expect(titles).toEqual(wanted)
  })
})

it('hints at how often checkpoints are made', async () => {
  await withEditor({}, async ({ open, ask }) => {
    await open(uri, TEXT.replace('level: signd', 'level: anchored, anchoring: { cadence: PT6H }'))
    const hints = await ask<InlayHint[]>('textDocument/inlayHint', { textDocument, range: everything })
    expect(hints.map(({ position, label }) => [position.line, label])).toContainEqual([2, '6 hours'])
  })
})

const COMPOSED = `${TEXT.replace('[lokup]', '[both]').replace('fields: [account]', 'fields: [{ name: account, type: object, description: What is known. }]')}  both:
    description: Looks ~~twice~~.
    contract_version: 1.0.0
    kind: composed
    side_effect: { type: read }
    minimum_scope: [crm.read]
    inputs: [{ name: id, type: string, description: Which account. }]
    output: { type: account, fields: [account] }
    composition:
      authority_boundary: same_service
      steps: [{ id: first, capability: lookup }, { id: again, capability: report }]
      output_mapping: { account: $.steps.first.output.account }
` // prettier-ignore

it.each([
  ['a composition', '[both', '**both**\n\nLooks \\~\\~twice\\~\\~.\n\n- effect: `read`\n- asks: `crm.read`\n- inputs: `id`\n- output: `account`\n- steps: `lookup`, `report`'],
  ['a field of the output of a step', 'first.output.account', '**account**: `object`\n\nWhat is known.'],
])('shows what a reference to %s names', async (_, written, card) => {
  await withEditor({}, async ({ open, ask }) => {
    await open(uri, COMPOSED)
    const before = COMPOSED.slice(0, COMPOSED.indexOf(written) + written.length).split('\n')
    const position = { line: before.length - 1, character: before.at(-1)!.length }
    const { contents } = await ask<{ readonly contents: { readonly value: string } }>('textDocument/hover', { textDocument, position }) // prettier-ignore
    expect(contents.value).toContain(card)
  })
}) // prettier-ignore

it('takes all marks of a pasted difference away in one quick fix', async () => {
  const pasted = LINTED.replace('    contract_version', '-   contract_version').replace('    side', '+   contract_version: 1.1.0\n+   side') // prettier-ignore
  await withEditor({}, async ({ open, ask }) => {
    await open(uri, pasted)
    const params = { textDocument, range: everything, context: { diagnostics: [], only: ['quickfix'] } }
    const [first] = await ask<CodeAction[]>('textDocument/codeAction', params)
    expect(first?.edit?.changes?.[uri]?.map(({ range, newText }) => [range.start.line, range.end.line, newText])).toEqual([[6, 7, ''], [7, 7, ' '], [8, 8, ' ']]) // prettier-ignore
  })
})

it('fixes nothing at once where every fix is a guess, and resolves no action twice', async () => {
  const guessed = LINTED.replace('signed', 'signd')
  await withEditor(ABILITIES['an editor that can do all']!, async ({ open, ask }) => {
    await open(uri, guessed)
    const context = { diagnostics: [], only: ['source.fixAll'] }
    const params = { textDocument, range: everything, context }
    expect(await ask('textDocument/codeAction', params)).toEqual([])
    const done = { title: 'Done', edit: { changes: {} }, data: { uri } }
    expect(await ask('codeAction/resolve', done)).toEqual(done)
    expect(await ask('codeAction/resolve', { title: 'Unknown' })).toEqual({ title: 'Unknown' })
  })
})

it.each([
  ['a capability', 4, 3, ['Find', 'find-it', '9find', 'find it', ''], 'is not a capability name', 'find_it9'],
  ['an input', 10, 17, ['a-b', '9a', 'a b', ''], 'is not an identifier', 'a_B9'],
  ['an output field', 11, 39, ['a-b', '9a', 'a.b'], 'is not an identifier', 'a_B9'],
  ['a scope', 8, 21, ['CRM', 'crm read', '.crm', ''], 'is not a scope', 'crm:a-b.c_d'],
] as const)('renames %s to what it may be called', async (_, line, character, wrong, message, right) => {
  await withEditor({}, async ({ open, ask }) => {
    await open(uri, LINTED)
    const rename = (newName: string) =>
      ask<{ changes: object } | null>('textDocument/rename', { textDocument, position: { line, character }, newName })
    for (const name of wrong) await expect(rename(name)).rejects.toThrow(`\`${name}\` ${message}`)
    expect(Object.keys((await rename(right))!.changes)).toEqual([uri])
  })
})

it.each([
  ['capabilities:\n  a: {}\n', 'x-schemas'],
  ['capabilities:\n  a: {}\nservice_identity: {}\n', 'manifest_metadata, trust, approvals, x-schemas'],
  ['capabilities:\n  a: {}\nmanifest_metadata: {}\n', 'service_identity, trust, approvals, x-schemas'],
  ['capabilities:\n  a: {}\ntrust: {}\n', 'manifest_metadata, service_identity, approvals, x-schemas'],
  ['trust: {}\n', 'manifest_metadata, service_identity, approvals, x-schemas, capabilities'],
])('knows %j for a fragment or for a manifest', async (text, wanted) => {
  await withEditor({}, async ({ open, ask }) => {
    await open(uri, text)
    const position = { line: text.split('\n').length - 1, character: 0 }
    const items = await ask<CompletionItem[]>('textDocument/completion', { textDocument, position })
    const others = ['metadata_disclosure', 'limits', 'include']
    expect(items.flatMap(({ label }) => (others.includes(label) ? [] : [label])).join(', ')).toBe(wanted)
  })
})

it.each([
  ['./a.json', 'file:///service/a.json'],
  ['http://a.example/a.json', 'http://a.example/a.json'],
  ['https://a.example/a.json', 'https://a.example/a.json'],
  ['javascript:alert(1)', undefined],
  ['command:a', undefined],
  ['http://', undefined],
])('links the schema %s to a file or a page', async (target, wanted) => {
  await withEditor({}, async ({ open, ask }) => {
    const file = { uri: 'file:///service/svc.yaml' }
    await open(file.uri, `# yaml-language-server: $schema=${target}\n${LINTED}`)
    const links = await ask<{ target?: string }[]>('textDocument/documentLink', { textDocument: file })
    expect(links.map((each) => each.target)).toEqual(wanted === undefined ? [] : [wanted])
  })
})

it('hints within the lines that are shown, and no others', async () => {
  await withEditor({}, async ({ open, ask }) => {
    await open(uri, LINTED)
    const hints = async (from: number, to: number) => {
      const range = { start: { line: from, character: 2 }, end: { line: to, character: 0 } }
      const found = await ask<{ position: Position }[]>('textDocument/inlayHint', { textDocument, range })
      return found.map(({ position: { line } }) => line)
    }
    expect(await hints(0, 99)).toEqual([4, 10])
    expect(await hints(4, 9)).toEqual([4])
    expect(await hints(5, 10)).toEqual([10])
    expect(await hints(5, 9)).toEqual([])
  })
})

it('finds at most 500 symbols, by letters of their names in order', async () => {
  await withEditor({}, async ({ open, ask }) => {
    const inputs = Array.from({ length: 501 }, (_, n) => `{ name: input_${n}, type: string }`).join(', ')
    await open(uri, `capabilities:\n  find_it:\n    inputs: [${inputs}]\n`)
    const found = async (query: string) =>
      (await ask<{ name: string; containerName?: string }[]>('workspace/symbol', { query })).map(
        ({ name, containerName }) => `${name} in ${containerName}`,
      )
    expect((await found('')).length).toBe(500)
    expect(await found('FIT')).toEqual(['find_it in undefined'])
    expect(await found('ip_7t')).toEqual([])
    expect(await found('ip_777')).toEqual([])
    expect(await found('ip_477')).toEqual(['input_477 in find_it'])
    expect(await found('capa')).toEqual([])
  })
})

it('tells each severity as editors count them, and says when nothing has changed', async () => {
  await withEditor(ABILITIES['an editor that can do all']!, async ({ open, ask }) => {
    const text = `\uFEFF${LINTED.replace('signed', 'signd')}`
    await open(uri, text)
    const pulled = await ask<{ kind: string; resultId: string; items: { code: string; severity: number }[] }>(
      'textDocument/diagnostic',
      { textDocument },
    )
    expect([pulled.kind, ...pulled.items.map(({ code, severity }) => `${code} ${severity}`)]).toEqual([
      'full',
      'SVC0126 3',
      'SVC1101 1',
      'SVC6101 2',
    ])
    const { resultId } = pulled
    const again = (previousResultId: string) => ask('textDocument/diagnostic', { textDocument, previousResultId })
    expect(await again(resultId)).toEqual({ kind: 'unchanged', resultId })
    expect(await again('another')).toEqual(pulled)
  })
})

it('places of another file that a finding is about are shown there, the others in its own', () => {
  const at = (line: number) => ({ start: { line, column: 1, offset: 0 }, end: { line, column: 2, offset: 1 } })
  const related = [
    { file: 'file:///shared.yaml', range: at(3), message: 'There.' },
    { file: '', range: at(4), message: 'Here.' },
  ]
  const finding = { code: 'SVC3007', slug: 'refresh-unknown', severity: 'error', file: 'file:///service.yaml', range: at(1), message: 'It.', related } // prettier-ignore
  expect(editorDiagnostic(finding as never).relatedInformation?.map(({ location, message }) => [location.uri, message])).toEqual([
    ['file:///shared.yaml', 'There.'],
    ['file:///service.yaml', 'Here.'],
  ]) // prettier-ignore
})
