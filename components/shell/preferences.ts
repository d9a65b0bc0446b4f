'use client'

import { useRouter } from 'next/navigation'
import { type Locale, localeCookie } from '@/lib/i18n/locale'
import { rememberChoice } from './cookies'
import { type Theme, themeCookie } from './theme'

/** Each language goes by its own name. */
export const languageNames: Record<Locale, string> = { sv: 'Svenska', en: 'English' }

/** Choices that a person makes about the app itself. */
export function usePreferences() {
  const router = useRouter()
  return {
    setLanguage: (language: Locale) => {
      rememberChoice(localeCookie, language)
      router.refresh()
    },
    setTheme: (theme: Theme) => {
      rememberChoice(themeCookie, theme)
      document.documentElement.dataset['theme'] = theme
    },
  }
}
