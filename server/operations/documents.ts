import 'server-only'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locale } from '@/lib/i18n/locale'
import type { Allowed, Viewer } from '@/server/access/viewer'

/** What administrators and their data-protection officer read in the app: the same files that lie beside the code. */
export type DocumentName = 'privacy' | 'security'

const FILES = {
  privacy: { sv: 'PRIVACY.sv.md', en: 'PRIVACY.md' },
  security: { sv: 'SECURITY.md', en: 'SECURITY.md' },
} as const satisfies Record<DocumentName, Record<Locale, string>>

/** The text in Markdown, and the language it is written in. */
export async function readDocument(
  _viewer: Allowed<'admin'>,
  name: DocumentName,
  locale: Locale,
): Promise<{ text: string; language: Locale }> {
  const file = FILES[name][locale]
  return { text: await read(file), language: file === FILES[name].en ? 'en' : locale }
}

/** How things are done in Intag, in Markdown; the names of its pictures are those of `public/help`. For everybody. */
export function readHelp(_viewer: Viewer, locale: Locale): Promise<string> {
  return read(join('docs', `help.${locale}.md`))
}

function read(file: string): Promise<string> {
  return readFile(join(/* turbopackIgnore: true */ process.cwd(), file), 'utf8')
}
