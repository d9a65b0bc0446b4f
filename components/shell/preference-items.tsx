'use client'

import { Monitor, Moon, Sun } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import { MenuItem, MenuLabel } from '@/components/ui/menu'
import { locales } from '@/lib/i18n/locale'
import { languageNames, usePreferences } from './preferences'
import { type Theme, themeOf, themes } from './theme'

const themeIcons = { light: <Sun />, dark: <Moon />, system: <Monitor /> } satisfies Record<Theme, unknown>

/** Choices of language and looks, for a menu. */
export function PreferenceItems() {
  return (
    <>
      <Languages />
      <Themes />
    </>
  )
}

function Languages() {
  const t = useTranslations('shell.account')
  const { setLanguage } = usePreferences()
  const locale = useLocale()
  return (
    <>
      <MenuLabel>{t('language')}</MenuLabel>
      {locales.map((language) => (
        <MenuItem key={language} checked={language === locale} onSelect={() => setLanguage(language)}>
          <span lang={language}>{languageNames[language]}</span>
        </MenuItem>
      ))}
    </>
  )
}

function Themes() {
  const t = useTranslations('shell.account')
  const { setTheme } = usePreferences()
  const [theme, show] = useState(() => themeOf(document.documentElement.dataset['theme']))
  return (
    <>
      <MenuLabel>{t('theme')}</MenuLabel>
      {themes.map((choice) => (
        <MenuItem
          key={choice}
          checked={choice === theme}
          icon={themeIcons[choice]}
          onSelect={() => {
            setTheme(choice)
            show(choice)
          }}
        >
          {t(choice)}
        </MenuItem>
      ))}
    </>
  )
}
