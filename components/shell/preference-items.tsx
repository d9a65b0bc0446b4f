'use client'

import { Monitor, Moon, Sun } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { MenuItem, MenuLabel } from '@/components/ui/menu'
import { type Locale, localeCookie, locales } from '@/lib/i18n/locale'
import { rememberChoice } from './cookies'
import { type Theme, themeCookie, themeOf, themes } from './theme'

const themeIcons = { light: <Sun />, dark: <Moon />, system: <Monitor /> } satisfies Record<Theme, unknown>

/** Each language goes by its own name. */
const languageNames: Record<Locale, string> = { sv: 'Svenska', en: 'English' }

/** Choices of language and looks, for a menu. */
export function PreferenceItems() {
  const t = useTranslations('shell.account')
  const locale = useLocale()
  const router = useRouter()
  const [theme, setTheme] = useState(() => themeOf(document.documentElement.dataset['theme']))
  return (
    <>
      <MenuLabel>{t('language')}</MenuLabel>
      {locales.map((language) => (
        <MenuItem
          key={language}
          checked={language === locale}
          onSelect={() => {
            rememberChoice(localeCookie, language)
            router.refresh()
          }}
        >
          <span lang={language}>{languageNames[language]}</span>
        </MenuItem>
      ))}
      <MenuLabel>{t('theme')}</MenuLabel>
      {themes.map((choice) => (
        <MenuItem
          key={choice}
          checked={choice === theme}
          icon={themeIcons[choice]}
          onSelect={() => {
            rememberChoice(themeCookie, choice)
            document.documentElement.dataset['theme'] = choice
            setTheme(choice)
          }}
        >
          {t(choice)}
        </MenuItem>
      ))}
    </>
  )
}
