import { describe, expect, it } from 'vitest'
import { renderTemplate } from '../../src/compiler/render-template.js'

const values = { name: 'shop', title: 'Bread & "Butter"', postgres: true, oidc: false }

describe('renderTemplate', () => {
  it.each([
    ['{{name}} and {{ name }}', 'shop and shop'],
    ['{{title}}', 'Bread & "Butter"'],
    ['{{#if postgres}}pg{{else}}file{{/if}}', 'pg'],
    ['{{#if oidc}}oidc{{else}}keys{{/if}}', 'keys'],
    ['{{#if oidc}}oidc{{/if}}', ''],
    ['{{#if oidc}}oidc{{else if postgres}}pg{{else}}neither{{/if}}', 'pg'],
    ['{{#if postgres}}{{#if oidc}}both{{else}}one: {{name}}{{/if}}{{/if}}', 'one: shop'],
    ['a\n{{#if postgres}}\nb\n{{/if}}\nc\n', 'a\nb\nc\n'],
    ['a\n  {{#if oidc}}\n  b\n  {{/if}}\nc\n', 'a\nc\n'],
    ['a {{~name~}} b', 'ashopb'],
    ['{{! not printed }}a{{!-- nor {{this}} --}}b', 'ab'],
    [String.raw`$\{{ github.ref }} {{name}}`, '${{ github.ref }} shop'],
    ['{ "a": { "b": 1 } }', '{ "a": { "b": 1 } }'],
    ['', ''],
  ])('makes of %j %j', (template, text) => {
    expect(renderTemplate(template, values)).toBe(text)
  })

  it('reads nothing in what it fills in', () => {
    expect(renderTemplate('{{name}}', { name: '{{secret}} {{#if x}}' })).toBe('{{secret}} {{#if x}}')
  })

  it.each([
    ['a\n{{nmae}}', 'line 2: The template speaks of nmae, which has no value.'],
    ['{{constructor}}', 'line 1: The template speaks of constructor, which has no value.'],
    ['{{#if mysql}}a{{/if}}', 'line 1: The template speaks of mysql, which has no value.'],
    ['{{#if oidc}}\n{{nmae}}\n{{/if}}', 'line 2: The template speaks of nmae, which has no value.'],
    ['{{#if postgres}}a{{else}}{{nmae}}{{/if}}', 'line 1: The template speaks of nmae, which has no value.'],
    ['{{postgres}}', 'line 1: postgres is a choice: ask for it with {{#if postgres}}.'],
    ['{{#if name}}a{{/if}}', 'line 1: name is a text, not a choice: print it with {{name}}.'],
  ])('refuses %j', (template, message) => {
    expect(() => renderTemplate(template, values)).toThrow(message)
  })

  it.each([
    '{{{name}}}',
    '{{&name}}',
    '{{name title}}',
    '{{name a=1}}',
    '{{name.length}}',
    '{{../name}}',
    '{{this}}',
    '{{@root}}',
    '{{"name"}}',
    '{{(name)}}',
    '{{> partial}}',
    '{{#> partial}}{{/partial}}',
    '{{* decorator}}',
    '{{#* inline "a"}}{{/inline}}',
    '{{#each name}}a{{/each}}',
    '{{#unless oidc}}a{{/unless}}',
    '{{^if oidc}}a{{/if}}',
    '{{#if}}a{{/if}}',
    '{{#if oidc postgres}}a{{/if}}',
    '{{#if oidc includeZero=true}}a{{/if}}',
    '{{#if oidc as |a|}}a{{/if}}',
    '{{#if (eq name "a")}}a{{/if}}',
    '{{#if this.oidc}}a{{/if}}',
  ])('knows no %s', (template) => {
    expect(() => renderTemplate(template, values)).toThrow('line 1: A template knows {{name}}, {{#if name}}')
  })

  it.each([
    '{{name',
    '{{#if oidc}}a',
    '{{#if oidc}}a{{/unless}}',
    '{{/if}}',
    '{{else}}',
    '{{#if oidc}}{{else}}{{else}}{{/if}}',
  ])('does not read %s', (template) => {
    expect(() => renderTemplate(template, values)).toThrow('The template does not read as Handlebars: ')
  })
})
