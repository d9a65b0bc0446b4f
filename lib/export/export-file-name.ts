import type { ExportFormat } from '@/lib/contract/export'
import type { LeadList } from '@/lib/contract/lead'
import type { Locale } from '@/lib/i18n/locale'

const names: Record<Locale, Record<LeadList, string>> = {
  sv: { 'asked-questions': 'fragor', 'declarations-of-interest': 'intresseanmalningar' },
  en: { 'asked-questions': 'questions', 'declarations-of-interest': 'declarations' },
}

/** `intresseanmalningar-2026-11-21-1204.xlsx`: list, day and count, in letters every system can name a file with. */
export function exportFileName(file: {
  list: LeadList
  day: string
  count: number
  format: ExportFormat
  language: Locale
}): string {
  const extension = file.format === 'emails' ? 'json' : file.format
  return `${names[file.language][file.list]}-${file.day}-${file.count}.${extension}`
}
