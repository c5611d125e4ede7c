/**
 * Fills `{{name}}` in a template. A template has nothing else: no condition, no loop. Throws for a name without a value,
 * which is a fault of the template, not of its user.
 */
export const renderTemplate = (template: string, values: { readonly [name: string]: string }): string =>
  template.replaceAll(/\{\{(\w+)\}\}/gu, (_, name: string) => {
    if (!Object.hasOwn(values, name)) throw new Error(`The template speaks of ${name}, which has no value.`)
    return values[name]!
  })
