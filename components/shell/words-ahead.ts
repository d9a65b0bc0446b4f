import { areaWords } from '@/components/desk/lazy-area'
import type { Locale } from '@/lib/i18n/locale'

const AREAS = ['palette', 'contact', 'views', 'export', 'changes'] as const

/** The words of what keys and presses ask for on every screen, one area after the other. */
export async function fetchWordsAhead(locale: Locale): Promise<void> {
  for (const area of AREAS) await areaWords(locale, area).want()
}
