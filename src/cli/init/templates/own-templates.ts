import { createRequire } from 'node:module'
import { join } from 'node:path'
import { packageRoot } from '../../shared/files/package-root.js'
import type { FillIn } from './fill-in.js'
import { renderTemplate, type TemplateCode } from './render-template.js'

/** Our own templates below a folder of `templates/`, which our build made code of. */
export function ownTemplates(folder: string): FillIn {
  const code = ownCode()
  return ({ path }, values, write) => {
    const template = code[`${folder}/${path}`]
    if (template === undefined) throw new Error(`templates/${folder}/${path} came after the build.`)
    return renderTemplate(template, {}, values, write)
  }
}

function ownCode(): TemplateCode {
  const root = packageRoot()
  return createRequire(join(root, 'package.json'))(join(root, 'dist/bundle/templates/index.cjs')) as TemplateCode
}
