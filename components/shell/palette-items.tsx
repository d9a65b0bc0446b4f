import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { useFindCommand } from '@/components/app/commands'
import { useCurrentList } from '@/components/app/current-list'
import { useNavigate } from '@/components/app/navigate'
import { useSchoolFilter, useScreenHref } from '@/components/app/schools'
import type { Screen } from '@/components/app/screens'
import { requestSignOut } from '@/components/ui/unsaved-work'
import { applyViewSearch } from './leads-nav'
import { highSchools, savedViewsQuery } from '@/lib/api/queries'
import type { LeadListQuery } from '@/lib/api/leads'
import type { LeadList } from '@/lib/contract/lead'
import { MENU_QUEUES, queueHref } from '@/lib/inbox/queues'
import { viewHref } from '@/lib/inbox/view-link'
import { allCommands, type CommandId } from '@/lib/keyboard/commands'
import { groupBy } from '@/lib/group-by'
import { foldText } from '@/lib/leads/comparable-text'
import { CommandKeys } from './help-dialog'

export type PaletteEntry = { id: string; label: ReactNode; detail?: ReactNode; run: () => void }
type PaletteItem = PaletteEntry & { label: string; group: PaletteGroupName; isQuiet?: boolean }

const GO: Partial<Record<Screen['name'], CommandId>> = {
  today: 'goToday',
  questions: 'goQuestions',
  declarations: 'goDeclarations',
  interest: 'goInterest',
}

/** Goes to a list as `query` filters it, with the search text that no address holds. */
export function useGoToList() {
  const navigate = useNavigate()
  const current = useCurrentList()
  return (href: string, list: LeadList, query: LeadListQuery = {}) =>
    navigate(href, () => applyViewSearch({ list, query }, current?.list))
}

export function usePaletteItems(screens: readonly Screen[]): PaletteItem[] {
  const t = useTranslations()
  const navigate = useNavigate()
  const goToList = useGoToList()
  const hrefOf = useScreenHref()
  const find = useFindCommand()
  const hasLeads = screens.some(({ name }) => name === 'declarations')
  const { data: saved } = useQuery({ ...savedViewsQuery, enabled: hasLeads })
  const { data: schools } = useQuery(highSchools)
  const [chosenSchools, setSchools] = useSchoolFilter()
  const keysOf = (id: CommandId | undefined) => id !== undefined && <CommandKeys id={id} />
  const notHere = new Set<CommandId>(['palette', ...Object.values(GO)])
  // Those of the menu, and those that it has no room for.
  const queues = hasLeads ? [...MENU_QUEUES, 'dueToday' as const, 'snoozed' as const] : []
  const items: PaletteItem[] = []
  for (const screen of screens) {
    // The queues are a group of their own.
    if (screen.name === 'queue') continue
    const detail = keysOf(GO[screen.name])
    const label = t(`shell.${screen.name}`)
    items.push({ id: screen.href, label, group: 'go', detail, run: () => navigate(hrefOf(screen)) })
  }
  for (const { id, name, list, query } of saved?.views ?? []) {
    const run = () => goToList(viewHref(list, query), list, query)
    items.push({ id: `view ${id}`, label: name, group: 'views', run })
  }
  items.push({ id: 'all-schools', label: t('shell.schools.all'), group: 'schools', run: () => setSchools([]) })
  for (const { id, name } of schools?.highSchools ?? [])
    items.push({ id: `school ${id}`, label: name, group: 'schools', isQuiet: true, run: () => setSchools([id]) })
  for (const name of queues) {
    const run = () => navigate(queueHref(name, chosenSchools))
    items.push({ id: `queue ${name}`, label: t(`inbox.queues.${name}`), group: 'queues', run })
  }
  for (const { id } of allCommands()) {
    const run = notHere.has(id) ? undefined : find(id)
    if (run) items.push({ id, label: t(`palette.command.${id}`), group: 'commands', detail: keysOf(id), run })
  }
  items.push({ id: 'sign-out', label: t('shell.account.signOut'), group: 'commands', run: requestSignOut })
  return items
}

const GROUPS = ['go', 'commands', 'queues', 'views', 'schools'] as const
export type PaletteGroupName = (typeof GROUPS)[number]

type Offer = Pick<PaletteItem, 'label' | 'group' | 'isQuiet'>

const MAX_OFFERS = 40

/** What fits the text, best group first. */
export function groupOffers<Item extends Offer>(
  offers: readonly Item[],
  text: string,
  headingOf: (group: PaletteGroupName) => string,
): { name: PaletteGroupName; items: Item[] }[] {
  const isAll = text.trim() === ''
  const rankOf = ({ label, group, isQuiet }: Offer): number => {
    if (isAll) return isQuiet === true ? Infinity : 0
    // The heading counts too, but little: "skola nor" finds the school Norra.
    return Math.min(matchText(label, text), matchText(`${label} ${headingOf(group)}`, text) + 2)
  }
  const ranked = offers.map((item) => ({ item, rank: rankOf(item) })).filter(({ rank }) => rank < Infinity)
  const best = ranked.toSorted((a, b) => a.rank - b.rank).slice(0, MAX_OFFERS)
  const groups = groupBy(best, ({ item }) => item.group)
  // Groups are in the order of their best, which is their first; equally good ones as they are listed.
  return GROUPS.map((name) => ({ name, found: groups.get(name) ?? [] }))
    .filter(({ found }) => found.length > 0)
    .toSorted((a, b) => (a.found[0]?.rank ?? 0) - (b.found[0]?.rank ?? 0))
    .map(({ name, found }) => ({ name, items: found.map(({ item }) => item) }))
}

export function matchesOffers(groups: readonly { items: readonly Offer[] }[], text: string): boolean {
  return groups.some(({ items }) => items.some(({ label }) => matchText(label, text) <= 1))
}

/** Less is better: beginnings, beginnings of words, anything inside; `Infinity` where a word is missing. */
export function matchText(text: string, typed: string): number {
  const target = foldText(text)
  return foldText(typed.trim())
    .split(' ')
    .reduce((sum, word) => {
      if (target.startsWith(word)) return sum
      if (target.includes(` ${word}`)) return sum + 1
      return sum + (target.includes(word) ? 2 : Infinity)
    }, 0)
}
