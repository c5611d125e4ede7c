/** Templates of the user's own, of `svc init --template`. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import Handlebars from 'handlebars/runtime.js'
import { beforeEach, afterEach, describe, expect, it, vi } from 'vitest'
import { init } from '../../src/cli/init/run.js'

let parent: string
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'svc-templates-'))
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  put('svc.yaml.tmpl', readFileSync('templates/minimal/svc.yaml.tmpl', 'utf8'))
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(parent, { recursive: true, force: true, maxRetries: 20 })
})

function put(name: string, text: string): void {
  mkdirSync(dirname(join(parent, 'ours', name)), { recursive: true })
  writeFileSync(join(parent, 'ours', name), text)
}

const VALUES = { name: 'shop', storage: 'postgres', deploy: 'docker,systemd', svcKit: 'a"\nb' }

/** What `notes.<format>` becomes. */
async function made(template: string, format = 'json'): Promise<string> {
  put(`notes.${format}.tmpl`, template)
  rmSync(join(parent, 'made'), { recursive: true, force: true })
  await init(join(parent, 'made'), { yes: true, template: join(parent, 'ours'), ...VALUES })
  const file = join(parent, 'made', `notes.${format}`)
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

describe('a template', () => {
  it.each([
    ['{{name}} and {{ name }}', 'shop and shop'],
    ['{{#if postgres}}pg{{else}}file{{/if}}', 'pg'],
    ['{{#if oidc}}oidc{{else}}keys{{/if}}', 'keys'],
    ['a{{#if oidc}}oidc{{/if}}', 'a'],
    ['{{#if oidc}}oidc{{else if postgres}}pg{{else}}neither{{/if}}', 'pg'],
    ['{{#if postgres}}{{#if oidc}}both{{else}}one: {{name}}{{/if}}{{/if}}', 'one: shop'],
    ['{{#if this.postgres}}a{{/if}}', 'a'],
    ['{{^if oidc}}a{{/if}}', 'a'],
    ['a\n{{#if postgres}}\nb\n{{/if}}\nc\n', 'a\nb\nc\n'],
    ['a\n  {{#if oidc}}\n  b\n  {{/if}}\nc\n', 'a\nc\n'],
    ['a {{~name~}} b', 'ashopb'],
    ['{{! not printed }}a{{!-- nor {{this}} --}}b', 'ab'],
    [String.raw`$\{{ github.ref }} {{name}}`, '${{ github.ref }} shop'],
    ['{ "a": { "b": 1 } }', '{ "a": { "b": 1 } }'],
    ['', ''],
    ['{{#unless oidc}}a{{else}}b{{/unless}}', 'a'],
    ['{{#each deployments}}{{@index}} {{this}} of {{../name}}{{#unless @last}}, {{/unless}}{{/each}}', '0 docker of shop, 1 systemd of shop'],
    ['{{#each deployments as |each at|}}{{at}}{{each}}{{name}}{{/each}}'.replace('{{name}}', '{{../name}}'), '0dockershop1systemdshop'],
    ['{{#each deployments}}a{{else}}none{{/each}}', 'aa'],
    ['{{#each this}}{{@key}};{{/each}}', 'name;package;title;svcKit;vendored;database;postgres;oidc;tests;mcp;deployments;packages;'],
    ['{{#if deployments}}{{deployments.length}}{{/if}}', '2'],
    ['{{#with title}}{{this}} {{../name}} {{@root.name}}{{/with}}', 'Shop shop shop'],
    ['{{#with name as |of|}}{{of}}{{/with}}', 'shop'],
    ['{{lookup deployments 1}} {{lookup this "name"}}', 'systemd shop'],
    ['{{upper name}} {{lower title}} {{upper (lookup this "name")}} {{lower (upper name)}}', 'SHOP shop SHOP shop'],
    ['{{#each deployments}}{{upper this}}{{/each}}', 'DOCKERSYSTEMD'],
    ['{{upper svcKit}}{{{upper svcKit}}}', String.raw`A\u0022\u000aB` + 'A"\nB'],
    ['{{#with (upper name)}}{{this}}{{/with}}', 'SHOP'],
    ['{{svcKit}}', String.raw`a\u0022\u000ab`],
    ['{{{svcKit}}}{{&name}}', 'a"\nbshop'],
    ['{{#*inline "one"}}<{{name}}>{{/inline}}{{> one}}{{> one name="b"}}', '<shop><b>'],
  ])('makes of %j %j', async (template, text) => {
    expect(await made(template)).toBe(text)
  }) // prettier-ignore

  it('includes its partials, which are no files of the service, and writes in them as the file does', async () => {
    put('partials/head.tmpl', '# {{title}} {{svcKit}} {{> parts/of}}\n')
    put('partials/parts/of.tmpl', 'of {{owner}}')
    expect(await made('{{> head owner="us"}}')).toBe(String.raw`# Shop a\u0022\u000ab of us` + '\n')
    expect(existsSync(join(parent, 'made/partials'))).toBe(false)
  })

  it('includes a partial around a block', async () => {
    put('partials/frame.tmpl', '[{{> @partial-block}}]')
    expect(await made('{{#> frame}}{{name}}{{/frame}}{{#> none}}{{title}}{{/none}}')).toBe('[shop]Shop')
  })

  it('leaves the writer of Handlebars as it was', async () => {
    await made('{{name}}')
    expect((Handlebars as unknown as { Utils: { escapeExpression: (text: string) => string } }).Utils.escapeExpression('<')).toBe('&lt;')
  }) // prettier-ignore
})

describe('a name without a value', () => {
  it.each([
    ['a\n{{nmae}}', 'notes.json: line 2: The template speaks of nmae, which has no value. There are {{name}}, {{package}}'],
    ['{{constructor}}', 'line 1: The template speaks of constructor, which'],
    ['{{__proto__}}', 'line 1: The template speaks of __proto__, which'],
    ['{{name.length}}', 'line 1: The template speaks of name.length, which'],
    ['{{{nmae}}}', 'line 1: The template speaks of nmae, which'],
    ['{{../name}}', 'line 1: The template speaks of ../name, which'],
    ['{{@index}}', 'line 1: The template speaks of @index, which'],
    ['{{@root.nmae}}', 'line 1: The template speaks of @root.nmae, which'],
    ['{{#if mysql}}a{{/if}}', 'line 1: The template speaks of mysql, which'],
    ['{{#if oidc}}\n{{nmae}}\n{{/if}}', 'line 2: The template speaks of nmae, which'],
    ['{{#if postgres}}a{{else}}{{nmae}}{{/if}}', 'line 1: The template speaks of nmae, which'],
    ['{{#unless postgres}}\n\n{{nmae}}{{/unless}}', 'line 3: The template speaks of nmae, which'],
    ['{{#each capabilities}}a{{/each}}', 'line 1: The template speaks of capabilities, which'],
    ['{{#each deployments}}\n{{name}}{{/each}}', 'line 2: The template speaks of name, which'],
    ['{{#each deployments as |one|}}{{one}}{{/each}}{{one}}', 'line 1: The template speaks of one, which'],
    ['{{lookup this "nmae"}}', 'line 1: The template speaks of nmae, which'],
    ['{{lookup this name}}', 'notes.json.tmpl: The template looks up what has no value.'],
    ['\n{{> head}}', 'partials/head.tmpl: line 3: The template speaks of nmae, which'],
    ['{{> head nmae="a"}}{{> other}}', 'line 1: There is no partial other: it would be partials/other.tmpl of the template. There are head.'],
    ['{{shout name}}', 'line 1: There is no helper shout of such values; there are if, unless, each, with and {{lookup values name}}, {{lower text}}, {{upper text}}.'],
    ['\n{{upper nmae}}', 'line 2: The template speaks of nmae, which'],
    ['{{log name}}', 'line 1: There is no helper log'],
    ['{{#if (eq name "a")}}a{{/if}}', 'line 1: There is no helper eq'],
    ['{{#list deployments}}a{{/list}}', 'line 1: There is no block list; there are if, unless, each and with.'],
  ])('is found in %j', async (template, says) => {
    put('partials/head.tmpl', '\n\n{{nmae}}')
    await expect(made(template)).rejects.toThrow(says.replace('notes.json:', 'notes.json.tmpl:'))
    await expect(made(template)).rejects.toMatchObject({ name: 'CliError' })
  }) // prettier-ignore
})

describe('a template is refused', () => {
  it.each([
    ['{{postgres}}', 'line 1: postgres is a choice: ask for it with {{#if postgres}}.'],
    ['{{deployments}}', 'line 1: deployments is a list: loop over it with {{#each deployments}}.'],
    ['{{this}}', 'line 1: this is all names at once: print one of them.'],
    ['{{#if name}}a{{/if}}', 'line 1: name is a text, not a choice: print it with {{name}}.'],
    ['{{#each name}}a{{/each}}', 'line 1: name is no list.'],
    ['{{upper}}', 'line 1: The template speaks of upper, which'],
    ['{{upper name title}}', 'line 1: There is no helper upper of such values'],
    ['{{upper oidc}}', 'line 1: The helper upper takes a text, and oidc is none.'],
    ['{{upper deployments}}', 'line 1: The helper upper takes a text, and deployments is none.'],
    ['{{#upper name}}a{{/upper}}', 'line 1: There is no block upper'],
    ['{{name title}}', 'line 1: There is no helper name'],
    ['{{name a=1}}', 'line 1: There is no helper name'],
    ['{{"name"}}', 'line 1: name is no name.'],
    ['{{* decorator}}', 'line 1: Of decorators there is {{#*inline "name"}}.'],
    ['{{#*other "a"}}{{/other}}', 'line 1: Of decorators there is {{#*inline "name"}}.'],
    ['{{#if}}a{{/if}}', 'line 1: The block if takes one value.'],
    ['{{#if oidc postgres}}a{{/if}}', 'line 1: The block if takes one value.'],
    ['{{#if oidc includeZero=true}}a{{/if}}', 'line 1: The block if takes one value.'],
    ['{{#if oidc as |a|}}a{{/if}}', 'line 1: There is no block if'],
    ['{{> (lookup this "name")}}', 'line 1: A partial is included by its name, which is written out.'],
    ['{{#*inline "a"}}{{> a}}{{/inline}}{{> a}}', 'line 1: The partial a includes itself.'],
    ['{{#each @root}}'.repeat(7) + 'a' + '{{/each}}'.repeat(7), 'line 1: The template could print more than 16 MiB.'],
    ['{{name', 'The template does not read as Handlebars: Parse error on line 1'],
    ['{{#if oidc}}a', 'The template does not read as Handlebars: '],
    ['{{#if oidc}}a{{/unless}}', 'The template does not read as Handlebars: '],
    ['{{/if}}', 'The template does not read as Handlebars: '],
    ['{{else}}', 'The template does not read as Handlebars: '],
    ['{{#if oidc}}{{else}}{{else}}{{/if}}', 'The template does not read as Handlebars: '],
  ])('of %j', async (template, says) => {
    await expect(made(template)).rejects.toThrow(says)
    await expect(made(template)).rejects.toMatchObject({ name: 'CliError' })
  }) // prettier-ignore
})

/** What a command loads of the bundle, where no code can be made from strings. */
function loadedBy(...args: readonly string[]): readonly string[] {
  const hook = join(parent, 'hook.cjs')
  writeFileSync(hook, "process.on('exit', () => console.log('\\n' + JSON.stringify(Object.keys(require.cache))))")
  const flags = ['--disallow-code-generation-from-strings', '--require', hook]
  const printed = execFileSync(process.execPath, [...flags, 'bin/svc.cjs', ...args], { encoding: 'utf8' })
  const files = JSON.parse(printed.trimEnd().split('\n').at(-1)!) as readonly string[]
  return files.filter((file) => /escapeExpression/u.test(readFileSync(file, 'utf8'))).map((file) => file.replace(/^.*\/|-[\w-]{8}(?=\.cjs)/gu, ''))
} // prettier-ignore

describe('Handlebars', () => {
  it.each([
    ['validate', () => ['validate', 'examples/travel/svc.yaml'], []],
    ['init', () => ['init', join(parent, 'a'), '--yes'], ['template-files.cjs', 'index.cjs']],
    ['init --template', () => ['init', join(parent, 'b'), '--yes', '--template', join(parent, 'ours')], ['template-files.cjs', 'index.cjs', 'users-templates.cjs']],
  ])('is loaded by %s as far as it is needed, and makes no code from strings', (_, args, loaded) => {
    expect(loadedBy(...args())).toEqual(loaded)
  }) // prettier-ignore
})
