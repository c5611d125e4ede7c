/** The only place of the package that makes code from text: a template of the user's own (`svc init --template`). */
import { Script } from 'node:vm'
import { CliError } from '../../shared/errors/cli-error.js'
import type { TemplateFile } from '../template-folder.js'
import { checkTemplate, type ParsedTemplate } from './check-template.js'
import { codeOfTemplate, parsedTemplate } from './compile-template.js'
import { textOfTemplate, type FillIn } from './fill-in.js'
import { renderTemplate } from './render-template.js'

const PARTIAL = /^partials\/(.+)\.tmpl$/su

/** Checks whether other templates include the file: `partials/<name>.tmpl`, by its name. */
export const isPartial = ({ path }: TemplateFile): boolean => PARTIAL.test(path)

/** The templates of a folder of the user's own. */
export function usersTemplates(files: readonly TemplateFile[]): FillIn {
  const partials = new Map(files.filter(isPartial).map((file) => [PARTIAL.exec(file.path)![1]!, parsed(file)]))
  const code = Object.fromEntries([...partials].map(([name, partial]) => [name, compiled(partial)]))
  return (file, values, write) => {
    const template = parsed(file)
    checkTemplate(template, partials, values)
    try {
      return renderTemplate(compiled(template), code, values, write)
    } catch (error) {
      if (error instanceof CliError) throw error
      throw new CliError(`${file.path}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
}

const parsed = (file: TemplateFile): ParsedTemplate => parsedTemplate(file.path, textOfTemplate(file))

/** A script of its own, which Node runs though code from strings is disallowed. */
const compiled = (template: ParsedTemplate): TemplateSpecification =>
  new Script(`(${codeOfTemplate(template)})`, { filename: template.file }).runInThisContext() as TemplateSpecification
