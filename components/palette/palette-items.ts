import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useFindCommand } from '@/components/desk/commands'
import { useCurrentList } from '@/components/desk/current-list'
import { useGo } from '@/components/desk/go'
import { languageNames, usePreferences } from '@/components/desk/preferences'
import { useSchoolFilter, useScreenHref } from '@/components/desk/schools'
import type { Screen } from '@/components/desk/screens'
import { useSignOut } from '@/components/desk/sign-out'
import { themes } from '@/components/desk/theme'
import { applyViewSearch } from '@/components/views/view-search'
import { dayQuery } from '@/lib/api/queries'
import { highSchools, savedViewsQuery } from '@/lib/api/queries'
import { locales } from '@/lib/i18n/locale'
import { queueLine } from '@/lib/inbox/day-lines'
import { MENU_QUEUES, queueHref } from '@/lib/inbox/queues'
import { viewHref } from '@/lib/inbox/view-link'
import { allCommands, type CommandId } from '@/lib/keyboard/commands'
import type { PaletteGroupName } from './palette-groups'

export type PaletteItem = {
  id: string
  label: string
  group: PaletteGroupName
  command?: CommandId
  /** Too many to show before anything is typed. */
  isQuiet?: boolean
  run: () => void
}

const GO: Partial<Record<Screen['name'], CommandId>> = {
  today: 'goToday',
  questions: 'goQuestions',
  declarations: 'goDeclarations',
  interest: 'goInterest',
}

/** All that the palette offers here and now, besides what it finds among the leads. */
export function usePaletteItems(screens: readonly Screen[]): PaletteItem[] {
  const places = usePlaceItems(screens)
  const queues = useQueueItems(screens)
  const commands = useCommandItems()
  const preferences = usePreferenceItems()
  return [...places, ...queues, ...commands, ...preferences]
}

function useCommandItems(): PaletteItem[] {
  const t = useTranslations('palette.command')
  const find = useFindCommand()
  const places = new Set<CommandId>(['palette', ...Object.values(GO)])
  return allCommands().flatMap(({ id }) => {
    const run = places.has(id) ? undefined : find(id)
    return run === undefined ? [] : [{ id, label: t(id), group: 'commands' as const, command: id, run }]
  })
}

function usePlaceItems(screens: readonly Screen[]): PaletteItem[] {
  const shell = useTranslations('shell')
  const go = useGo()
  const hrefOf = useScreenHref()
  const current = useCurrentList()
  const hasLeads = screens.some(({ name }) => name === 'declarations')
  const { data: saved } = useQuery({ ...savedViewsQuery, enabled: hasLeads })
  const { data: schools } = useQuery(highSchools)
  const [, setSchools] = useSchoolFilter()
  const goTo = screens.map((screen) => {
    const command = GO[screen.name]
    return {
      id: screen.href,
      label: shell(screen.name),
      group: 'go' as const,
      ...(command !== undefined && { command }),
      run: () => go(hrefOf(screen)),
    }
  })
  const views = (saved?.views ?? []).map((view) => ({
    id: `view ${view.id}`,
    label: view.name,
    group: 'views' as const,
    run: () => go(viewHref(view.list, view.query), () => applyViewSearch(view, current?.list)),
  }))
  const all = { id: 'all-schools', label: shell('schools.all'), group: 'schools' as const, run: () => setSchools([]) }
  const one = (schools?.highSchools ?? []).map(({ id, name }) => ({
    id: `school ${id}`,
    label: name,
    group: 'schools' as const,
    isQuiet: true,
    run: () => setSchools([id]),
  }))
  return [...goTo, ...views, all, ...one]
}

/** The queues of the menu; as there, each opens the list that has more of it. */
function useQueueItems(screens: readonly Screen[]): PaletteItem[] {
  const t = useTranslations('day.queues')
  const go = useGo()
  const current = useCurrentList()
  const [schools] = useSchoolFilter()
  // As the menu knows it: nobody waits for numbers here.
  const { data: day } = useQuery({ ...dayQuery(schools, false), enabled: false })
  if (!screens.some(({ name }) => name === 'declarations')) return []
  return MENU_QUEUES.map((name) => {
    const line = day && queueLine(day, name, schools)
    const list = line?.list ?? 'asked-questions'
    const href = line?.href ?? queueHref(list, name, { schools })
    return {
      id: `queue ${name}`,
      label: t(name),
      group: 'queues' as const,
      run: () => go(href, () => applyViewSearch({ list, query: {} }, current?.list)),
    }
  })
}

function usePreferenceItems(): PaletteItem[] {
  const t = useTranslations('shell.account')
  const { setLanguage, setTheme } = usePreferences()
  const signOut = useSignOut()
  return [
    ...themes.map((theme) => ({
      id: `theme ${theme}`,
      label: `${t('theme')}: ${t(theme)}`,
      group: 'look' as const,
      run: () => setTheme(theme),
    })),
    ...locales.map((language) => ({
      id: `language ${language}`,
      label: `${t('language')}: ${languageNames[language]}`,
      group: 'look' as const,
      run: () => setLanguage(language),
    })),
    { id: 'sign-out', label: t('signOut'), group: 'account', run: () => void signOut() },
  ]
}
