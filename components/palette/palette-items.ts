import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useFindCommand } from '@/components/desk/commands'
import { useCurrentList } from '@/components/desk/current-list'
import { useNavigate } from '@/components/desk/navigate'
import { useSchoolFilter, useScreenHref } from '@/components/desk/schools'
import type { Screen } from '@/components/desk/screens'
import { requestSignOut } from '@/components/browser/unsaved-work'
import { applyViewSearch } from '@/components/views/view-entries'
import { highSchools, savedViewsQuery } from '@/lib/api/queries'
import type { LeadListQuery } from '@/lib/api/leads'
import type { LeadList } from '@/lib/contract/lead'
import { MENU_QUEUES, queueHref } from '@/lib/inbox/queues'
import { viewHref } from '@/lib/inbox/view-link'
import { allCommands, type CommandId } from '@/lib/keyboard/commands'
import { foldText } from '@/lib/leads/comparable-text'

type PaletteItem = {
  id: string
  label: string
  group: PaletteGroupName
  command?: CommandId
  isQuiet?: boolean
  run: () => void
}

const GO: Partial<Record<Screen['name'], CommandId>> = {
  today: 'goToday',
  questions: 'goQuestions',
  declarations: 'goDeclarations',
  interest: 'goInterest',
}

export function usePaletteItems(screens: readonly Screen[]): PaletteItem[] {
  return [...usePlaceItems(screens), ...useQueueItems(screens), ...useCommandItems()]
}

/** Goes to a list as `query` filters it, with the search text that no address holds. */
export function useGoToList() {
  const navigate = useNavigate()
  const current = useCurrentList()
  return (href: string, list: LeadList, query: LeadListQuery = {}) =>
    navigate(href, () => applyViewSearch({ list, query }, current?.list))
}

function useCommandItems(): PaletteItem[] {
  const t = useTranslations('palette.command')
  const account = useTranslations('shell.account')
  const find = useFindCommand()
  const places = new Set<CommandId>(['palette', ...Object.values(GO)])
  const commands = allCommands().flatMap(({ id }) => {
    const run = places.has(id) ? undefined : find(id)
    return run === undefined ? [] : [{ id, label: t(id), group: 'commands' as const, command: id, run }]
  })
  return [...commands, { id: 'sign-out', label: account('signOut'), group: 'commands', run: requestSignOut }]
}

function usePlaceItems(screens: readonly Screen[]): PaletteItem[] {
  const shell = useTranslations('shell')
  const navigate = useNavigate()
  const goToList = useGoToList()
  const hrefOf = useScreenHref()
  const hasLeads = screens.some(({ name }) => name === 'declarations')
  const { data: saved } = useQuery({ ...savedViewsQuery, enabled: hasLeads })
  const { data: schools } = useQuery(highSchools)
  const [, setSchools] = useSchoolFilter()
  // The queues are a group of their own.
  const places = screens.filter(({ name }) => name !== 'queue')
  const goTo = places.map((screen) => {
    const command = GO[screen.name]
    return {
      id: screen.href,
      label: shell(screen.name),
      group: 'go' as const,
      ...(command !== undefined && { command }),
      run: () => navigate(hrefOf(screen)),
    }
  })
  const views = (saved?.views ?? []).map((view) => ({
    id: `view ${view.id}`,
    label: view.name,
    group: 'views' as const,
    run: () => goToList(viewHref(view.list, view.query), view.list, view.query),
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

/** The queues of the menu, and those that it has no room for. */
function useQueueItems(screens: readonly Screen[]): PaletteItem[] {
  const t = useTranslations('inbox.queues')
  const go = useNavigate()
  const [schools] = useSchoolFilter()
  if (!screens.some(({ name }) => name === 'declarations')) return []
  return ([...MENU_QUEUES, 'dueToday', 'snoozed'] as const).map((name) => ({
    id: `queue ${name}`,
    label: t(name),
    group: 'queues' as const,
    run: () => go(queueHref(name, schools)),
  }))
}

const GROUPS = ['go', 'commands', 'queues', 'views', 'schools'] as const
export type PaletteGroupName = (typeof GROUPS)[number]

type Offer = Pick<PaletteItem, 'label' | 'group' | 'isQuiet'>

type OfferGroup<Item> = { name: PaletteGroupName; items: Item[] }

const MAX_LEADS = 40

/** What fits the text, best group first. */
export function groupOffers<Item extends Offer>(
  offers: readonly Item[],
  text: string,
  headingOf: (group: PaletteGroupName) => string,
): OfferGroup<Item>[] {
  const ranked = offers.flatMap((item) => {
    const rank = text.trim() === '' ? (item.isQuiet === true ? null : 0) : rankOf(item, text, headingOf(item.group))
    return rank === null ? [] : [{ item, rank }]
  })
  const kept = ranked.toSorted((a, b) => a.rank - b.rank)
  const bestOf = (name: PaletteGroupName) => kept.find(({ item }) => item.group === name)?.rank ?? Infinity
  const shown = kept.slice(0, MAX_LEADS)
  return GROUPS.map((name) => ({
    name,
    items: shown.flatMap(({ item }) => (item.group === name ? [item] : [])),
  }))
    .filter(({ items }) => items.length > 0)
    .toSorted((a, b) => bestOf(a.name) - bestOf(b.name))
}

/** The heading counts too, but little: "skola nor" finds the school Norra. */
function rankOf({ label }: Offer, text: string, heading: string): number | null {
  const labelRank = matchText(label, text)
  if (labelRank !== null) return labelRank
  const headingRank = matchText(`${label} ${heading}`, text)
  return headingRank === null ? null : headingRank + 2
}

export function matchesOffers(groups: readonly OfferGroup<Offer>[], text: string): boolean {
  return groups.some(({ items }) => items.some(({ label }) => (matchText(label, text) ?? Infinity) <= 1))
}

/** Less is better: beginnings, beginnings of words, anything inside. */
export function matchText(text: string, typed: string): number | null {
  const words = foldText(typed.trim()).split(' ')
  const target = foldText(text)
  let sum = 0
  for (const word of words) {
    const rank = wordRank(target, word)
    if (rank === null) return null
    sum += rank
  }
  return sum
}

function wordRank(target: string, word: string): number | null {
  if (target.startsWith(word)) return 0
  if (target.includes(` ${word}`)) return 1
  return target.includes(word) ? 2 : null
}
