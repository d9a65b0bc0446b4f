import 'server-only'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locale } from '@/lib/i18n/locale'
import type { Viewer, Admin } from '@/server/access/viewer'

export type DocumentName = 'privacy' | 'security'

const FILES = {
  privacy: { sv: 'PRIVACY.sv.md', en: 'PRIVACY.md' },
  security: { sv: 'SECURITY.md', en: 'SECURITY.md' },
} as const satisfies Record<DocumentName, Record<Locale, string>>

export async function readDocument(_viewer: Admin, name: DocumentName, locale: Locale) {
  const file = FILES[name][locale]
  const language: Locale = file === FILES[name].en ? 'en' : locale
  return { text: await read(file), language }
}

export function readHelp(_viewer: Viewer, locale: Locale): Promise<string> {
  return read(join('docs', `help.${locale}.md`))
}

function read(file: string): Promise<string> {
  return readFile(join(/* turbopackIgnore: true */ process.cwd(), file), 'utf8')
}
