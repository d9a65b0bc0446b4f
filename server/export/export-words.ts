import 'server-only'
import { createTranslator } from 'next-intl'
import type { LeadList } from '@/lib/contract/lead'
import type { ExportWords } from '@/lib/export/export-words'
import { loadMessages } from '@/lib/i18n/load-messages'
import type { Locale } from '@/lib/i18n/locale'

/** The words of a file: the same as on the screen in that language. */
export async function exportWords(locale: Locale, list: LeadList): Promise<ExportWords> {
  const messages = await loadMessages(locale)
  const t = createTranslator({ locale, messages })
  return {
    column: messages.export.column,
    status: messages.common.status,
    mode: (mode) => (mode === 'email' || mode === 'phone' ? messages.inbox.mode[mode] : mode),
    card: messages.export.card[list],
    sheet: messages.export.list[list],
    nameless: messages.export.nameless,
    starts: onceFor((year) => t('export.starts', { year: String(year) })),
    cut: ` ${messages.export.cut}`,
  }
}

/** Thousands of cards share a handful of years. */
function onceFor(say: (year: number) => string): (year: number) => string {
  const said = new Map<number, string>()
  return (year) => {
    const text = said.get(year) ?? say(year)
    said.set(year, text)
    return text
  }
}
