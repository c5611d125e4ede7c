import type Compiler from 'handlebars'
import runtime from 'handlebars/runtime.js'
import type { WriteValue } from '../../shared/formats/of-file.js'
import type { TemplateValues } from '../template-values.js'
import { TEXT_HELPERS } from './text-helpers.js'

/** Templates as code, by their names. */
export interface TemplateCode {
  readonly [name: string]: TemplateSpecification
}

/** It has no types of its own, and its writer may be set. */
const Handlebars = runtime as unknown as Pick<typeof Compiler, 'template'> & {
  readonly Utils: { escapeExpression: (value: unknown) => string }
}

/** Fills in a template with partials. Each value is written as `write` does, but between three braces. */
export function renderTemplate(
  template: TemplateSpecification,
  partials: TemplateCode,
  values: TemplateValues,
  write: WriteValue,
): string {
  const render = withWriter(write, () => ({
    main: Handlebars.template<TemplateValues>(template),
    partials: Object.fromEntries(
      Object.entries(partials).map(([name, partial]) => [name, Handlebars.template(partial)]),
    ),
  }))
  return render.main(values, {
    partials: render.partials,
    helpers: TEXT_HELPERS,
    allowProtoPropertiesByDefault: false,
    allowProtoMethodsByDefault: false,
  })
}

/** A template keeps the writer that `Handlebars.Utils` has when it is made. */
function withWriter<Made>(write: WriteValue, make: () => Made): Made {
  const { Utils } = Handlebars
  const before = Utils.escapeExpression
  Utils.escapeExpression = (value) => write(printed(value))
  try {
    return make()
  } finally {
    Utils.escapeExpression = before
  }
}

function printed(value: unknown): string {
  if (value === undefined || value === null) throw new Error('The template looks up what has no value.')
  return String(value)
}
