import { Monitor, Moon, Sun } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import { MenuItem, MenuLabel } from '@/components/ui/menu'
import { type Locale, LOCALE_COOKIE, LOCALES } from '@/lib/i18n/locale'
import { parseTheme, type Theme, THEME_COOKIE, THEMES } from './theme'

export function PreferenceItems() {
  const t = useTranslations('shell.account')
  const locale = useLocale()
  const [theme, setTheme] = useState(() => parseTheme(document.documentElement.dataset['theme']))
  const chooseTheme = (choice: Theme) => {
    saveInCookie(THEME_COOKIE, choice)
    document.documentElement.dataset['theme'] = choice
    setTheme(choice)
  }
  const chooseLanguage = (language: Locale) => {
    saveInCookie(LOCALE_COOKIE, language)
    // The page is reloaded, because all that it has loaded is in the old language.
    location.reload()
  }
  return (
    <>
      <MenuLabel>{t('language')}</MenuLabel>
      {LOCALES.map((language) => (
        <MenuItem key={language} checked={language === locale} onSelect={() => chooseLanguage(language)}>
          <span lang={language}>{languageNames[language]}</span>
        </MenuItem>
      ))}
      <MenuLabel>{t('theme')}</MenuLabel>
      {THEMES.map((choice) => (
        <MenuItem
          key={choice}
          checked={choice === theme}
          icon={themeIcons[choice]}
          onSelect={() => chooseTheme(choice)}
        >
          {t(choice)}
        </MenuItem>
      ))}
    </>
  )
}

const themeIcons = { light: <Sun />, dark: <Moon />, system: <Monitor /> } satisfies Record<Theme, unknown>

const languageNames: Record<Locale, string> = { sv: 'Svenska', en: 'English' }

const YEAR_SECONDS = 365 * 24 * 60 * 60

/** The choice is a cookie, so that the server renders the first page accordingly. */
function saveInCookie(name: string, value: string): void {
  const secure = location.protocol === 'https:' ? '; secure' : ''
  document.cookie = `${name}=${value}; path=/; max-age=${YEAR_SECONDS}; samesite=lax${secure}`
}
