import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { findCommand } from '@/components/app/commands'
import { useNavigate } from '@/components/app/navigate'
import { useSchoolFilter, useScreenHref } from '@/components/app/schools'
import { type Screen, SCREEN_COMMANDS } from '@/components/app/screens'
import { requestSignOut } from '@/components/ui/unsaved-work'
import { savedViewsQuery } from '@/lib/api/queries'
import { LISTS } from '@/lib/contract/lists'
import { groupBy } from '@/lib/group-by'
import { MENU_QUEUES, toQueueHref } from '@/lib/inbox/queues'
import { toViewHref } from '@/lib/inbox/view-link'
import { type CommandId, COMMANDS } from '@/lib/keyboard/commands'
import { foldText } from '@/lib/leads/comparable-text'
import { CommandKeys } from './help-dialog'
import { SCREENS_BY_LIST, SEARCHED_LISTS, useLeadSearch } from './palette-search'

export type PaletteEntry = { id: string; label: ReactNode; detail?: ReactNode; run: () => void }
export type PaletteSection = { id: string; heading: string | null; entries: readonly PaletteEntry[] }

/** Returns the palette's offers and what the server finds. While `isAwaitingResults` Enter must run nothing. */
export function usePaletteSections(screens: readonly Screen[], query: string) {
  const t = useTranslations()
  const navigate = useNavigate()
  const hasLeadAccess = screens.some(({ permission }) => permission === 'leads:read')
  const leadSearch = useLeadSearch(query, hasLeadAccess)
  const offers = groupOffers(useOffers(screens, hasLeadAccess), query).map(({ id, entries }) => {
    const heading = id === 'queues' ? t('inbox.queues.title') : t(`palette.heading.${id}`)
    return { id, heading, entries }
  })
  const searchEntries = SEARCHED_LISTS.map((list) => ({
    id: `search ${list}`,
    label: t('palette.searchIn', { list: t(`shell.${SCREENS_BY_LIST[list]}`), text: query }),
    run: () => navigate(LISTS[list].href, { searchText: query }),
  }))
  // Whether offers come first depends on the query alone, so that no entry moves when the found leads arrive.
  const hasCloseOffer = offers.some(({ entries }) => entries.some(({ label }) => rankMatch(label, query) <= 1))
  const areOffersFirst = !leadSearch.isSearchable || hasCloseOffer
  const leadSections: PaletteSection[] = leadSearch.sections
  const sections = areOffersFirst ? [...offers, ...leadSections] : [...leadSections, ...offers]
  if (leadSearch.isSearchable) sections.push({ id: 'search', heading: null, entries: searchEntries })
  let note: string | null = null
  if (leadSearch.isFailed) note = t('palette.searchFailed')
  else if (leadSearch.isSearching) note = t('palette.searching')
  else if (offers.length + leadSections.length === 0) note = t('palette.nothing')
  return { sections, note, isAwaitingResults: leadSearch.isSearching && !areOffersFirst }
}

/** An offer opens a screen, queue or view, or runs a command. */
type Offer = { label: string; group: 'go' | 'commands' | 'queues' | 'views' }

function useOffers(screens: readonly Screen[], hasLeadAccess: boolean): (PaletteEntry & Offer)[] {
  const t = useTranslations()
  const navigate = useNavigate()
  const toHref = useScreenHref()
  const { data: savedViews } = useQuery({ ...savedViewsQuery, enabled: hasLeadAccess })
  const [chosenSchools] = useSchoolFilter()
  const renderKeys = (id: CommandId | undefined) => id !== undefined && <CommandKeys id={id} />
  const offers: (PaletteEntry & Offer)[] = []
  for (const screen of screens) {
    if (screen.name === 'queue') continue
    const detail = renderKeys(SCREEN_COMMANDS[screen.name])
    const label = t(`shell.${screen.name}`)
    offers.push({ id: screen.href, label, group: 'go', detail, run: () => navigate(toHref(screen)) })
  }
  const commandsListedElsewhere = new Set<CommandId>(['palette', ...Object.values(SCREEN_COMMANDS)])
  for (const { id } of COMMANDS) {
    const run = commandsListedElsewhere.has(id) ? undefined : findCommand(id)
    if (run) offers.push({ id, label: t(`palette.command.${id}`), group: 'commands', detail: renderKeys(id), run })
  }
  offers.push({ id: 'sign-out', label: t('shell.account.signOut'), group: 'commands', run: requestSignOut })
  // The menu has no room for the last two queues.
  const queues = hasLeadAccess ? ([...MENU_QUEUES, 'dueToday', 'snoozed'] as const) : []
  for (const name of queues) {
    const run = () => navigate(toQueueHref(name, chosenSchools))
    offers.push({ id: `queue ${name}`, label: t(`inbox.queues.${name}`), group: 'queues', run })
  }
  for (const { id, name, list, query } of savedViews?.views ?? []) {
    const run = () => navigate(toViewHref(list, query), { searchText: query.q ?? '' })
    offers.push({ id: `view ${id}`, label: name, group: 'views', run })
  }
  return offers
}

/** Groups the offers that match, the best first. A group is listed where its best offer would be. */
export function groupOffers<Item extends Offer>(
  offers: readonly Item[],
  query: string,
): { id: Item['group']; entries: Item[] }[] {
  const rankedOffers = offers
    .map((offer) => ({ offer, rank: rankMatch(offer.label, query) }))
    .filter(({ rank }) => rank < Infinity)
    .toSorted((a, b) => a.rank - b.rank)
  const groups = groupBy(rankedOffers, ({ offer }) => offer.group)
  return Array.from(groups, ([id, matches]) => ({ id, entries: matches.map(({ offer }) => offer) }))
}

/** Ranks a label, the best 0. Each typed word adds 0 at its beginning, 1 at a word's, 2 inside, else `Infinity`. */
export function rankMatch(label: string, query: string): number {
  const foldedLabel = foldText(label)
  return foldText(query)
    .split(' ')
    .reduce((rank, word) => {
      if (foldedLabel.startsWith(word)) return rank
      if (foldedLabel.includes(` ${word}`)) return rank + 1
      return rank + (foldedLabel.includes(word) ? 2 : Infinity)
    }, 0)
}
