import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useRouter } from 'next/navigation'
import { useFindCommand } from '@/components/desk/commands'
import { useCurrentList } from '@/components/desk/current-list'
import { languageNames, usePreferences } from '@/components/desk/preferences'
import { useSchoolFilter, useScreenHref } from '@/components/desk/schools'
import type { Screen } from '@/components/desk/screens'
import { useSignOut } from '@/components/desk/sign-out'
import { themes } from '@/components/desk/theme'
import { applyViewSearch } from '@/components/views/view-search'
import { highSchools, savedViewsQuery } from '@/lib/api/list-choices'
import { locales } from '@/lib/i18n/locale'
import { viewHref } from '@/lib/inbox/view-link'
import { allCommands, type CommandId } from '@/lib/keyboard/commands'

export type PaletteItem = {
  id: string
  label: string
  /** What kind of thing it is, beside the label. */
  group: string
  command?: CommandId
  /** Too many to show before anything is typed. */
  isQuiet?: boolean
  run: () => void
}

const GO: Partial<Record<Screen['name'], CommandId>> = {
  questions: 'goQuestions',
  declarations: 'goDeclarations',
  interest: 'goInterest',
}

/** All that the palette offers here and now. */
export function usePaletteItems(screens: readonly Screen[]): PaletteItem[] {
  const commands = useCommandItems()
  const places = usePlaceItems(screens)
  const preferences = usePreferenceItems()
  return [...commands, ...places, ...preferences]
}

function useCommandItems(): PaletteItem[] {
  const t = useTranslations('palette')
  const find = useFindCommand()
  const places = new Set<CommandId>(['palette', ...Object.values(GO)])
  return allCommands().flatMap(({ id, group }) => {
    const run = places.has(id) ? undefined : find(id)
    return run === undefined ? [] : [{ id, label: t(`command.${id}`), group: t(`group.${group}`), command: id, run }]
  })
}

function usePlaceItems(screens: readonly Screen[]): PaletteItem[] {
  const t = useTranslations('palette')
  const shell = useTranslations('shell')
  const router = useRouter()
  const hrefOf = useScreenHref()
  const current = useCurrentList()
  const hasLeads = screens.some(({ name }) => name === 'declarations')
  const { data: saved } = useQuery({ ...savedViewsQuery, enabled: hasLeads })
  const { data: schools } = useQuery(highSchools())
  const [, setSchools] = useSchoolFilter()
  const goTo = screens.map((screen) => {
    const command = GO[screen.name]
    return {
      id: screen.href,
      label: t('goTo', { name: shell(screen.name) }),
      group: t('group.go'),
      ...(command !== undefined && { command }),
      run: () => router.push(hrefOf(screen)),
    }
  })
  const views = (saved?.views ?? []).map((view) => ({
    id: `view ${view.id}`,
    label: view.name,
    group: t('view'),
    run: () => {
      applyViewSearch(view, current?.list)
      router.push(viewHref(view.list, view.query))
    },
  }))
  const all = { id: 'all-schools', label: shell('schools.all'), group: t('school'), run: () => setSchools([]) }
  const one = (schools?.highSchools ?? []).map(({ id, name }) => ({
    id: `school ${id}`,
    label: name,
    group: t('school'),
    isQuiet: true,
    run: () => setSchools([id]),
  }))
  return [...goTo, ...views, all, ...one]
}

function usePreferenceItems(): PaletteItem[] {
  const t = useTranslations('shell.account')
  const { setLanguage, setTheme } = usePreferences()
  const signOut = useSignOut()
  return [
    ...themes.map((theme) => ({
      id: `theme ${theme}`,
      label: `${t('theme')}: ${t(theme)}`,
      group: t('theme'),
      run: () => setTheme(theme),
    })),
    ...locales.map((language) => ({
      id: `language ${language}`,
      label: `${t('language')}: ${languageNames[language]}`,
      group: t('language'),
      run: () => setLanguage(language),
    })),
    { id: 'sign-out', label: t('signOut'), group: '', run: () => void signOut() },
  ]
}
